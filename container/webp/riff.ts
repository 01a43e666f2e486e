import { CannotCompress } from "../cannot-compress.ts";

export interface RiffChunk {
  type: string;
  data: Buffer;
}

/** The chunks of a WebP file (RFC 9649, section 2.4). @throws CannotCompress where it is no WebP or ends early */
export function readChunks(file: Buffer): RiffChunk[] {
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WEBP") {
    throw new CannotCompress("not a WebP");
  }
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) throw new CannotCompress("the file ends early");
  const chunks: RiffChunk[] = [];
  let at = 12;
  while (at + 8 <= end) {
    const lengthBytes = file.readUInt32LE(at + 4);
    if (at + 8 + lengthBytes > end) throw new CannotCompress("the file ends early");
    chunks.push({ type: file.toString("latin1", at, at + 4), data: file.subarray(at + 8, at + 8 + lengthBytes) });
    at += 8 + lengthBytes + (lengthBytes & 1);
  }
  return chunks;
}

/** A WebP file of these chunks, in parts. */
export function writeWebp(chunks: readonly RiffChunk[]): Buffer[] {
  const parts = chunks.flatMap(({ type, data }) => {
    const head = Buffer.alloc(8);
    head.write(type, 0, "latin1");
    head.writeUInt32LE(data.length, 4);
    return [head, data, Buffer.alloc(data.length & 1)];
  });
  const head = Buffer.alloc(12);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4);
  head.write("WEBP", 8, "latin1");
  return [head, ...parts];
}
