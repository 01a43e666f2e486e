import { ERRORS } from "../../domain/errors.ts";
import { type Slot, Slots } from "../../media/slots.ts";
import { PART_BYTES, PartBuffer } from "./part-buffer.ts";

/** Of an isolate's 128 MB, 50 are for the parts of files that are being received. */
const MAX_BUFFERS = 10;
/** A second buffer makes an upload faster; the last ones are kept for uploads that have none. */
const KEPT_FOR_OTHERS = 4;
const MAX_WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;
/** Used memory that is kept, in parts: new parts would pile up until the collector comes. */
const MAX_IDLE = 2;

const slots = new Slots(MAX_BUFFERS);
const idle: Uint8Array<ArrayBuffer>[] = [];

/** What one request holds of the isolate's part buffers, so that all of its uploads together stay within its memory. */
export class PartBuffers {
  readonly #held: Slot[] = [];

  /** Whether this request holds what others wait for. */
  get isWanted(): boolean {
    return this.#held.length > 0 && slots.isWanted;
  }

  /**
   * Leave to hold one part, if the request has none yet. While it waits, nothing is read.
   * @throws ServiceError 503 where it does not come in time
   */
  async require(): Promise<void> {
    if (this.#held.length > 0) return;
    const slot = await slots.take(MAX_WAIT_MS);
    if (slot === undefined) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    this.#held.push(slot);
  }

  /** An empty buffer, for the leave that the request has. */
  open(): PartBuffer {
    return new PartBuffer(PART_BYTES, idle.pop() ?? new Uint8Array(PART_BYTES));
  }

  /** A second buffer, where there are plenty. */
  tryOpenSpare(): PartBuffer | undefined {
    const slot = slots.tryTake(KEPT_FOR_OTHERS);
    if (slot === undefined) return undefined;
    this.#held.push(slot);
    return this.open();
  }

  /** Gives back one of two buffers. */
  close(buffer: PartBuffer): void {
    this.recycle(buffer);
    this.#held.pop()?.release();
  }

  /** Keeps a buffer's memory for the next part, of whatever upload. */
  recycle(buffer: PartBuffer): void {
    const memory = buffer.takeMemory();
    if (idle.length < MAX_IDLE && memory.length === PART_BYTES) idle.push(memory);
  }

  /** Gives back the leave for all of them. */
  release(): void {
    for (const slot of this.#held.splice(0)) slot.release();
  }
}
