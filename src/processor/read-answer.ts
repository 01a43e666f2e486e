const MAX_REFUSAL_BYTES = 16 * 1024;
const MAX_REASON_LENGTH = 200;

/** Why the media processor refused. @throws Error where it does not say */
export async function readReason({ body }: Response): Promise<string> {
  const text = new TextDecoder().decode(await readAtMost(body, MAX_REFUSAL_BYTES));
  const refusal: unknown = JSON.parse(text);
  if (typeof refusal === "object" && refusal !== null && "reason" in refusal && typeof refusal.reason === "string") {
    return refusal.reason.slice(0, MAX_REASON_LENGTH);
  }
  throw new Error("The media processor refused without a reason");
}

/** An answer's body. @throws Error where there is more of it than that */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  // Not `for await`: it would leave the stream locked where it is left early.
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    if (length + read.value.length > maxBytes) {
      await reader?.cancel();
      throw new Error("The media processor's answer is longer than it may be");
    }
    bytes.set(read.value, length);
    length += read.value.length;
  }
  reader?.releaseLock();
  return bytes.subarray(0, length);
}
