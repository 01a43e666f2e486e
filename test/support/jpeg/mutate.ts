import { splitJpeg } from "./segments.ts";

/** A damaged copy: bytes altered in headers or anywhere, cut off, cut out, repeated, or with segments in disorder. */
export function mutate(jpeg: Uint8Array, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  let bytes = Buffer.from(jpeg);
  const rounds = 1 + below(3);
  for (let round = 0; round < rounds; round++) {
    const kind = below(10);
    if (kind < 3) for (let i = below(4); i >= 0; i--) bytes[headerPlace(jpeg, random)] = below(256);
    else if (kind < 5) for (let i = below(4); i >= 0; i--) bytes[below(bytes.length)] = below(256);
    else if (kind === 5) bytes[below(bytes.length)] ^= 1 << below(8);
    else if (kind === 6) bytes = bytes.subarray(0, 2 + below(bytes.length - 2));
    else if (kind === 7) bytes = spliced(bytes, below(bytes.length), below(40), 0);
    else if (kind === 8) bytes = spliced(bytes, below(bytes.length), 0, below(40));
    else bytes = disordered(bytes, random);
    if (bytes.length < 4) break;
  }
  return bytes;
}

/** A byte of a segment, because a byte in the entropy-coded data rarely reaches a new path. */
function headerPlace(jpeg: Uint8Array, random: () => number): number {
  const scan = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xda);
  return Math.floor(random() * Math.min(jpeg.length, scan + 14));
}

function spliced(bytes: Buffer, at: number, removed: number, repeated: number): Buffer {
  return Buffer.concat([
    bytes.subarray(0, at),
    bytes.subarray(Math.max(0, at - repeated), at),
    bytes.subarray(at + removed),
  ]);
}

/** Swaps two segments or repeats one; damaged files stay as they are. */
function disordered(bytes: Buffer, random: () => number): Buffer {
  try {
    const { segments } = splitJpeg(bytes);
    const pieces = segments.map(({ marker, content, data }) =>
      Buffer.concat([
        Uint8Array.of(0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255),
        content,
        data,
      ]),
    );
    const [from, to] = [Math.floor(random() * pieces.length), Math.floor(random() * pieces.length)];
    const [piece] = random() < 0.5 ? pieces.splice(from, 1) : pieces.slice(from, from + 1);
    if (piece !== undefined) pieces.splice(to, 0, piece);
    return Buffer.concat([bytes.subarray(0, 2), ...pieces, Uint8Array.of(0xff, 0xd9)]);
  } catch {
    return bytes;
  }
}
