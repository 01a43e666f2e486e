import type { MediaType } from "../domain/media-types.ts";

/** The outcome of a compression. */
export type Compression =
  /** Pieces as they were made: joined, the result would be in memory twice. */
  | { readonly outcome: "compressed"; readonly type: MediaType; readonly pieces: readonly Uint8Array[] }
  /** The original stays. */
  | { readonly outcome: "kept"; readonly reason: string }
  /** The pixels take more memory than an isolate has to spare. */
  | { readonly outcome: "too-large" };

/** A lossy result that saves less than this share is not worth the loss. */
export const LEAST_LOSSY_SAVING = 0.03;

export function kept(reason: string): Extract<Compression, { outcome: "kept" }> {
  return { outcome: "kept", reason };
}
