import type { MediaType } from "../domain/media-types.ts";

/** What became of an image that was to be compressed. */
export type Compression =
  /** In pieces, as it was made: put together it would be in memory twice. */
  | { readonly outcome: "compressed"; readonly type: MediaType; readonly pieces: readonly Uint8Array[] }
  /** The original is the better file: it stays as it is. */
  | { readonly outcome: "kept"; readonly reason: string }
  /** Its pixels take more memory than an isolate has to spare. */
  | { readonly outcome: "too-large" };

/** A lossy result that saves less is not worth the loss. */
export const LEAST_LOSSY_SAVING = 0.03;

export function kept(reason: string): Extract<Compression, { outcome: "kept" }> {
  return { outcome: "kept", reason };
}
