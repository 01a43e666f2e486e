import type { Readable } from "node:stream";

/** Reads a stream to its end and returns its first and last bytes. A line break stands for the bytes between them. */
export async function collectEnds(stream: Readable | null, headBytes: number, tailBytes: number): Promise<Buffer> {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headRoom = headBytes;
  let heldBytes = 0;
  let isWhole = true;
  for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>) {
    const [first, rest] = [chunk.subarray(0, headRoom), chunk.subarray(headRoom)];
    if (first.length > 0) head.push(first);
    headRoom -= first.length;
    if (rest.length === 0) continue;
    tail.push(rest);
    heldBytes += rest.length;
    for (let [oldest] = tail; oldest !== undefined && heldBytes - oldest.length >= tailBytes; [oldest] = tail) {
      heldBytes -= oldest.length;
      tail.shift();
      isWhole = false;
    }
  }
  isWhole &&= heldBytes <= tailBytes;
  return Buffer.concat([...head, Buffer.from(isWhole ? "" : "\n"), Buffer.concat(tail).subarray(-tailBytes)]);
}
