import { EOI, SOI, SOS } from "../../../src/media/jpeg/markers.ts";

/** A marker segment; a scan header includes its entropy-coded data. */
export interface JpegSegment {
  readonly marker: number;
  /** The content without marker and length. */
  readonly content: Uint8Array;
  readonly data: Uint8Array;
}

/** Cuts a JPEG into its segments (T.81, annex B). Bytes after EOI are `tail`. */
export function splitJpeg(bytes: Uint8Array): { segments: JpegSegment[]; tail: Uint8Array } {
  const segments: JpegSegment[] = [];
  let at = 2;
  while (bytes[at + 1] !== EOI) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) throw new Error(`No marker at ${at}`);
    const end = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
    let dataEnd = end;
    if (marker === SOS) while (!isMarkerAt(bytes, dataEnd)) dataEnd += 1;
    segments.push({ marker, content: bytes.slice(at + 4, end), data: bytes.slice(end, dataEnd) });
    at = dataEnd;
  }
  return { segments, tail: bytes.slice(at + 2) };
}

/** Whether a marker ends entropy-coded data: a restart marker does not. */
function isMarkerAt(bytes: Uint8Array, at: number): boolean {
  if (at >= bytes.length) throw new Error("The data of a scan has no end");
  const next = bytes[at + 1] ?? 0;
  return bytes[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7);
}

export function joinJpeg(segments: readonly (JpegSegment | Uint8Array)[], tail: Uint8Array = new Uint8Array()): Buffer {
  const pieces = segments.map((one) =>
    one instanceof Uint8Array ? one : Buffer.concat([makeSegment(one.marker, one.content), one.data]),
  );
  return Buffer.concat([Uint8Array.of(0xff, SOI), ...pieces, Uint8Array.of(0xff, EOI), tail]);
}

export function makeSegment(marker: number, content: Uint8Array | readonly number[] | string): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : Buffer.from(content);
  const length = bytes.length + 2;
  return Buffer.concat([Uint8Array.of(0xff, marker, length >> 8, length & 255), bytes]);
}

/** Inserts segments after SOI. */
export function withSegments(jpeg: Uint8Array, ...added: Uint8Array[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...added, jpeg.subarray(2)]);
}

/** Adds comments as long as the file itself: a recompression that drops them always saves enough to be used. */
export function withBallast(jpeg: Uint8Array): Buffer {
  const comment = makeSegment(0xfe, new Uint8Array(60_000));
  return withSegments(jpeg, ...Array.from({ length: Math.ceil(jpeg.length / 60_000) }, () => comment));
}
