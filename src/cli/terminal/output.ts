import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes results, one line each. It waits for a slow reader, and stops if the reader is gone (`| head -1`). */
export class Output {
  readonly #stream: Writable;
  #isClosed = false;

  /** @param onClosed called when the reader is gone */
  constructor(stream: Writable, onClosed: () => void) {
    this.#stream = stream;
    stream.on("error", () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      onClosed();
    });
  }

  async line(text: string): Promise<void> {
    await this.text(`${text}\n`);
  }

  async json(value: unknown): Promise<void> {
    await this.line(JSON.stringify(value));
  }

  async text(text: string): Promise<void> {
    if (this.#isClosed || this.#stream.write(text)) return;
    await once(this.#stream, "drain").catch(() => undefined);
  }
}
