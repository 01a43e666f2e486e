import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  /** Whether the server sent `100 Continue` before the body was sent. */
  readonly continued: boolean;
}

/** A client that asked for `100 Continue` waits this long before it sends its body anyway, as .NET does. */
const CONTINUE_WITHIN_MS = 350;

/**
 * Sends a request byte by byte as written, without a library. With `Expect: 100-continue` in the head, the body waits for permission.
 * @param head the request line and the headers, without the empty line; a missing `Content-Length` is appended
 */
export async function sendRaw(baseUrl: string, head: readonly string[], body: Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const hasLength = head.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const lines = hasLength ? head : [...head, `Content-Length: ${body.length}`];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  let received = Buffer.alloc(0);
  const pieces: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  const ask = () => {
    const piece = pieces.next();
    // The caller that awaits it gets the error; the last piece is never awaited.
    piece.catch(() => undefined);
    return piece;
  };
  let next = ask();
  const read = async (): Promise<boolean> => {
    const { value, done } = await next;
    if (done) return false;
    received = Buffer.concat([received, value]);
    next = ask();
    return true;
  };
  let continued = false;
  if (lines.some((line) => /^expect: 100-continue$/i.test(line))) {
    const timer = new Promise<false>((done) => setTimeout(() => done(false), CONTINUE_WITHIN_MS));
    continued = (await Promise.race([next.then(() => true), timer])) && (await read());
  }
  socket.write(body);
  for (;;) {
    const end = received.indexOf("\r\n\r\n");
    if (end >= 0) {
      const headers = received.subarray(0, end).toString("latin1");
      const rest = received.subarray(end + 4);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1]);
      if (status === 100) {
        received = Buffer.from(rest);
        continue;
      }
      const text = bodyOf(headers, rest);
      if (text !== undefined) {
        socket.destroy();
        return { status, headers, body: text, continued };
      }
    }
    if (!(await read())) throw new Error(`The connection was closed after ${received.length} bytes`);
  }
}

/** @returns undefined until it is complete */
function bodyOf(headers: string, rest: Buffer): string | undefined {
  const body = /^transfer-encoding: *chunked/im.test(headers) ? fromChunks(rest) : fromLength(headers, rest);
  const encoding = /^content-encoding: *(\w+)/im.exec(headers)?.[1];
  if (body === undefined || encoding === undefined) return body?.toString();
  return (encoding === "br" ? brotliDecompressSync(body) : gunzipSync(body)).toString();
}

function fromLength(headers: string, rest: Buffer): Buffer | undefined {
  const sizeBytes = Number(/^content-length: *(\d+)/im.exec(headers)?.[1] ?? 0);
  return rest.length >= sizeBytes ? rest.subarray(0, sizeBytes) : undefined;
}

function fromChunks(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = rest.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const sizeBytes = Number.parseInt(rest.subarray(at, end).toString(), 16);
    if (sizeBytes === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(end + 2, end + 2 + sizeBytes));
    at = end + 2 + sizeBytes + 2;
  }
}
