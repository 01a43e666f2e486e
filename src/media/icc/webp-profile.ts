import { extendedHeader, readRiffChunks, riffFile } from "../webp/riff-chunks.ts";
import { ALPHA, ICC, readFlags, saysAlphaIsUsed } from "../webp/webp-flags.ts";

const MAX_CHUNKS = 1000;
/** A larger profile is not copied. */
const MAX_PROFILE_BYTES = 64 * 1024;

/** The profile of a WebP whose flags announce it (RFC 9649, 2.7). */
export function readWebpProfile(file: Uint8Array): Uint8Array | undefined {
  let count = 0;
  for (const chunk of readRiffChunks(file)) {
    if (count++ === 0 && (readFlags([chunk]) & ICC) === 0) return undefined;
    if (chunk.type === "ICCP") return chunk.data.length <= MAX_PROFILE_BYTES ? chunk.data : undefined;
    if (count === MAX_CHUNKS) return undefined;
  }
  return undefined;
}

/** Adds a profile to an encoder's picture. */
export function withWebpProfile(
  encoded: Uint8Array<ArrayBuffer>,
  profile: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array<ArrayBuffer> {
  const picture = [...readRiffChunks(encoded)].filter(({ type }) => ["ALPH", "VP8 ", "VP8L"].includes(type));
  const hasAlpha = picture.some((chunk) => chunk.type === "ALPH" || saysAlphaIsUsed(chunk));
  const header = extendedHeader(ICC | (hasAlpha ? ALPHA : 0), { width, height });
  return riffFile([header, { type: "ICCP", data: profile }, ...picture]);
}
