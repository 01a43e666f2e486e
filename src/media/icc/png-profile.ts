import { deflateSync, inflateSync } from "node:zlib";
import { concatBytes } from "../bytes.ts";
import { pngChunk } from "../png/png-chunks.ts";
import { walkHeadChunks } from "../png/read-png-head.ts";

/** A larger profile is not copied. */
const MAX_PROFILE_BYTES = 64 * 1024;
const MAX_NAME_BYTES = 79;

/** The profile of a PNG's iCCP chunk (PNG, 11.3.2.3); undefined if it is missing, damaged or too large. */
export function readPngProfile(file: Uint8Array<ArrayBuffer>): Uint8Array | undefined {
  for (const { type, data, isComplete } of walkHeadChunks(file)) {
    if (type === "IDAT") return undefined;
    if (type !== "iCCP" || !isComplete) continue;
    const nameEnd = data.subarray(0, MAX_NAME_BYTES + 1).indexOf(0);
    if (nameEnd === -1) return undefined;
    try {
      return inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: MAX_PROFILE_BYTES });
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** The iCCP chunk of a profile. */
export function profileChunk(profile: Uint8Array): Uint8Array<ArrayBuffer> {
  return pngChunk("iCCP", concatBytes([new TextEncoder().encode("ICC\0\0"), deflateSync(profile)]));
}
