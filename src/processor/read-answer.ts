const MAX_REFUSAL_BYTES = 16 * 1024;
const MAX_REASON_LENGTH = 200;

export interface ProcessorRefusal {
  readonly reason: string;
  /** Identifies some reasons for programs. */
  readonly code: string | undefined;
}

/** The media processor's reason to refuse. @throws Error if there is none */
export async function readReason(answer: Response): Promise<string> {
  return (await readRefusal(answer)).reason;
}

/** The media processor's refusal. @throws Error if it has no reason */
export async function readRefusal({ body }: Response): Promise<ProcessorRefusal> {
  const text = new TextDecoder().decode(await readAtMost(body, MAX_REFUSAL_BYTES));
  const refusal: unknown = JSON.parse(text);
  if (typeof refusal === "object" && refusal !== null && "reason" in refusal && typeof refusal.reason === "string") {
    const code = "code" in refusal && typeof refusal.code === "string" ? refusal.code : undefined;
    return { reason: refusal.reason.slice(0, MAX_REASON_LENGTH), code };
  }
  throw new Error("The media processor refused without a reason");
}

/** Reads an answer's body. @throws Error if it is longer than `maxBytes` */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  // `for await` would leave the stream locked if it ends early.
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    if (length + read.value.length > maxBytes) {
      await reader?.cancel();
      throw new Error("The media processor's answer is too long");
    }
    bytes.set(read.value, length);
    length += read.value.length;
  }
  reader?.releaseLock();
  return bytes.subarray(0, length);
}
