import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/**
 * Yields the request's body in chunks. A reader that stops early leaves the connection usable for the answer.
 * @throws Refusal 413 if the body or its announced length exceeds `maxBytes`
 */
export async function* readBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const tooLarge = new Refusal(413, `the body is larger than ${maxBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  let sizeBytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge;
    yield chunk;
  }
}

/** @throws Refusal 413 like `readBody`, 400 for an empty body */
export async function receiveBody(request: IncomingMessage, file: FileHandle, maxBytes: number): Promise<void> {
  let isEmpty = true;
  for await (const chunk of readBody(request, maxBytes)) {
    isEmpty = false;
    for (let rest = chunk; rest.length > 0; ) rest = rest.subarray((await file.write(rest)).bytesWritten);
  }
  if (isEmpty) throw new Refusal(400, "the body is empty");
}
