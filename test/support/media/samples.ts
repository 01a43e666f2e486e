/** Files with valid first bytes only; the end-to-end tests use files that real tools made. */

type Bytes = Uint8Array<ArrayBuffer>;

export function bytesOf(...parts: (string | number[] | Uint8Array)[]): Bytes {
  const chunks = parts.map((part) =>
    typeof part === "string" ? Buffer.from(part, "latin1") : part instanceof Uint8Array ? part : Uint8Array.from(part),
  );
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A PNG header of the given dimensions and the beginning of its data, filled up to `sizeBytes`. */
export function png(width = 3, height = 2, sizeBytes = 100): Bytes {
  const header = bytesOf(uint32(width), uint32(height), [8, 6, 0, 0, 0], [0, 0, 0, 0]);
  // A stored block (RFC 1951, 3.2.4), as long as one can be.
  const data = bytesOf([0x78, 0x01, 0x00, 0xff, 0xff, 0x00, 0x00]);
  return fill(bytesOf("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", header, uint32(sizeBytes), "IDAT", data), sizeBytes);
}

/** A JPEG's headers (SOI, SOF0, SOS) of the given dimensions, filled up to `sizeBytes`. */
export function jpeg(width = 4, height = 3, sizeBytes = 100): Bytes {
  const frame = [0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];
  return fill(bytesOf([0xff, 0xd8], frame, scan), sizeBytes);
}

/** The `ftyp` box of an MP4, filled up with bytes that depend on a seed. */
export function mp4(sizeBytes = 200, seed = 1): Bytes {
  return fill(bytesOf([0, 0, 0, 24], "ftypisom", [0, 0, 2, 0], "isommp42"), sizeBytes, seed);
}

export function gif(): Bytes {
  const picture = [0x2c, 0, 0, 0, 0, 5, 0, 6, 0, 0, 2, 1, 0x44, 0];
  return bytesOf("GIF89a", [5, 0, 6, 0, 0, 0, 0], picture, [0x3b]);
}

function fill(header: Bytes, sizeBytes: number, seed = 1): Bytes {
  const bytes = new Uint8Array(Math.max(header.length, sizeBytes));
  let state = seed;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  bytes.set(header);
  return bytes;
}

function uint32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}
