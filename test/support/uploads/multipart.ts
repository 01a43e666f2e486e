import { MultipartReader } from "../../../src/multipart/read-multipart.ts";
import { bytesOf } from "../media/samples.ts";

/** Multipart bodies written byte by byte, so that a test controls each byte that is sent. */

type Bytes = Uint8Array<ArrayBuffer>;

export interface BodyPart {
  readonly name: string;
  readonly filename?: string | undefined;
  readonly content: Uint8Array;
}

const encoder = new TextEncoder();

/** Text as UTF-8. */
export function utf8(text: string): Bytes {
  return new Uint8Array(encoder.encode(text));
}

/** The header lines of a part, as browsers write them (WHATWG HTML, multipart/form-data encoding). */
export function partHeaders({ name, filename }: Omit<BodyPart, "content">): string {
  const file = filename === undefined ? "" : `; filename="${escapeName(filename)}"`;
  const type = filename === undefined ? "" : "Content-Type: application/octet-stream\r\n";
  return `Content-Disposition: form-data; name="${escapeName(name)}"${file}\r\n${type}\r\n`;
}

/** A whole body; `padding` follows each boundary. */
export function multipartBody(
  boundary: string,
  parts: readonly BodyPart[],
  { preamble = "", padding = "", epilogue = "\r\n" } = {},
): Bytes {
  const chunks = parts.flatMap((part, index) => [
    utf8(`${index === 0 ? preamble : "\r\n"}--${boundary}${padding}\r\n`),
    utf8(partHeaders(part)),
    part.content,
  ]);
  const opening = parts.length === 0 ? preamble : "\r\n";
  return bytesOf(...chunks, utf8(`${opening}--${boundary}--${epilogue}`));
}

/** A byte stream whose reader gets these chunks one by one. With `error`, it breaks off after them. */
export function streamOf(chunks: Iterable<Uint8Array>, error?: Error): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      for (let next = iterator.next(); !next.done; next = iterator.next()) {
        if (next.value.length === 0) continue;
        // The chunk is copied, because the stream takes ownership of enqueued bytes.
        controller.enqueue(next.value.slice());
        return;
      }
      if (error !== undefined) return controller.error(error);
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
}

export function* inChunks(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Numbers from 0 up to `below`, determined by a seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function escapeName(name: string): string {
  return name.replace(/[\r\n"]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

/** All parts that the reader yields for a body in these chunks. */
export async function readParts(
  chunks: Iterable<Uint8Array>,
  boundary: string,
  { error, maxBytes = 100_000_000 }: { error?: Error; maxBytes?: number } = {},
): Promise<BodyPart[]> {
  const reader = new MultipartReader(streamOf(chunks, error), boundary, undefined, maxBytes);
  const parts: BodyPart[] = [];
  for await (const part of reader.parts()) {
    const content: Uint8Array[] = [];
    for (let chunk = await part.read(); chunk !== undefined; chunk = await part.read())
      content.push(new Uint8Array(chunk));
    parts.push({ name: part.name, filename: part.filename, content: bytesOf(...content) });
  }
  return parts;
}
