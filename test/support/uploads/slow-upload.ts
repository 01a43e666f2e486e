import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { CompressedResult, CompressingAccount } from "../media/compression.ts";

const BOUNDARY = "slow-upload";

/** An upload of one file whose client sends at any pace. */
export class SlowUpload {
  readonly #request: ClientRequest;
  readonly #answer: Promise<IncomingMessage>;

  constructor({ host, token }: CompressingAccount, name: string, sizeBytes: number) {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
    this.#request = request(new URL("/images/upload", host.stack.url).href, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
        "Content-Length": head.length + sizeBytes + BOUNDARY.length + 8,
      },
    });
    this.#answer = once(this.#request, "response").then(([answer]) => answer as IncomingMessage);
    // A client that disconnects gets no answer.
    this.#answer.catch(() => undefined);
    this.#request.write(head);
  }

  /** Sends more of the file, and waits until the system has taken it. */
  async send(bytes: Uint8Array): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#request.write(bytes, () => resolve());
    await promise;
  }

  /** Sends the body's end. */
  async finish(): Promise<{ status: number; result: CompressedResult }> {
    this.#request.end(`\r\n--${BOUNDARY}--\r\n`);
    const answer = await this.#answer;
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return { status: answer.statusCode ?? 0, result: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  }

  /** Hangs up. */
  abandon(): void {
    this.#request.on("error", () => undefined);
    this.#request.destroy();
  }
}
