import { deflateSync, inflateSync } from "node:zlib";
import { concatBytes } from "../concat-bytes.ts";
import { type PngChunk, pngChunk } from "./png-chunks.ts";

/**
 * A PNG's chunks with the same filtered rows, packed harder: colour type, bit depth and interlacing stay as they are.
 * @param chunks from IHDR to IEND
 * @param maxRawBytes of the picture unpacked
 * @throws Error where the data is damaged, or more than that
 */
export function repackPng(chunks: readonly PngChunk[], maxRawBytes: number): Uint8Array<ArrayBuffer>[] {
  const packed = concatBytes(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const data = deflateSync(inflateSync(packed, { maxOutputLength: maxRawBytes }), { level: 9, memLevel: 9 });
  const first = chunks.findIndex(({ type }) => type === "IDAT");
  return chunks.flatMap(({ type, whole }, index) => {
    if (type !== "IDAT") return [whole];
    return index === first ? [pngChunk("IDAT", data)] : [];
  });
}
