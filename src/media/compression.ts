import type { MediaType } from "../domain/media-types.ts";

/** The outcome of a compression. */
export type Compression =
  /** The result in pieces, because joined pieces would be in memory twice. */
  | { readonly outcome: "compressed"; readonly type: MediaType; readonly pieces: readonly Uint8Array[] }
  /** The original stays. */
  | { readonly outcome: "kept"; readonly reason: string }
  /** The pixels take more memory than the isolate has. */
  | { readonly outcome: "too-large" };

/** A lossy result that saves less than this share is not worth the loss. */
export const LEAST_LOSSY_SAVING = 0.03;

export function kept(reason: string): Extract<Compression, { outcome: "kept" }> {
  return { outcome: "kept", reason };
}
