import type { RiffChunk } from "./riff-chunks.ts";

/** Flags of VP8X (RFC 9649, 2.7.1). */
export const ICC = 0x20;
export const ALPHA = 0x10;
export const EXIF = 0x08;
export const ANIMATION = 0x02;

/** The alpha flag in a lossless bitstream's header (RFC 9649, 3.4). */
const VP8L_ALPHA_AT = 4;
const VP8L_ALPHA_IS_USED = 0x10;

/** The flags of an extended file; a simple file has none. */
export function readFlags([first]: readonly RiffChunk[]): number {
  return first?.type === "VP8X" ? (first.data[0] ?? 0) : 0;
}

/** Whether a lossless bitstream declares that its alpha is used. */
export function saysAlphaIsUsed({ type, data }: RiffChunk): boolean {
  return type === "VP8L" && ((data[VP8L_ALPHA_AT] ?? 0) & VP8L_ALPHA_IS_USED) !== 0;
}

/**
 * Whether viewers show a picture's alpha. They use the flags. If there are none, they use a lossless bitstream's own header. Alpha without
 * such a declaration is shown as opaque.
 */
export function showsAlpha(chunks: readonly RiffChunk[]): boolean {
  const isExtended = chunks[0]?.type === "VP8X";
  const picture = chunks.find(({ type }) => type === "VP8L");
  if (isExtended && (readFlags(chunks) & ALPHA) === 0) return false;
  return picture === undefined ? isExtended : saysAlphaIsUsed(picture);
}

/** Whether there is alpha that the flags of an extended file do not announce. */
export function deniesAlpha(chunks: readonly RiffChunk[]): boolean {
  const isDenied = chunks[0]?.type === "VP8X" && (readFlags(chunks) & ALPHA) === 0;
  return isDenied && chunks.some((chunk) => chunk.type === "ALPH" || saysAlphaIsUsed(chunk));
}
