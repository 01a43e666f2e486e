import { crc32 } from "node:zlib";
import { CannotCompress } from "../cannot-compress.ts";

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const OVERHEAD_BYTES = 12;
const ANCILLARY_BIT = 0x20;

export interface PngChunk {
  type: string;
  data: Buffer;
}

/**
 * The chunks of a PNG up to IEND, in their order (PNG, third edition, section 5). Ancillary chunks with a wrong checksum are left out.
 * @throws CannotCompress where the file is no PNG, ends early, or a critical chunk is damaged
 */
export function* readChunks(file: Buffer): Generator<PngChunk> {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new CannotCompress("not a PNG");
  let at = SIGNATURE.length;
  while (at + OVERHEAD_BYTES <= file.length) {
    const lengthBytes = file.readUInt32BE(at);
    const end = at + OVERHEAD_BYTES + lengthBytes;
    if (end > file.length) break;
    const type = file.toString("latin1", at + 4, at + 8);
    const data = file.subarray(at + 8, end - 4);
    const isIntact = crc32(file.subarray(at + 4, end - 4)) === file.readUInt32BE(end - 4);
    const isAncillary = ((file[at + 4] ?? 0) & ANCILLARY_BIT) !== 0;
    if (!isIntact && !isAncillary) throw new CannotCompress(`damaged ${type} chunk`);
    if (type === "IEND") return;
    if (isIntact) yield { type, data };
    at = end;
  }
  throw new CannotCompress("the file ends early");
}

export function writeChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(OVERHEAD_BYTES + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
