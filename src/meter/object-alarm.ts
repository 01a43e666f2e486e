import { MINUTE_MS } from "../domain/calendar.ts";
import { toLogLine } from "../domain/log-line.ts";

/** The runtime gives a failed alarm up after six tries (Durable Objects documentation, "Alarms"). So it is set again here. */
const AFTER_FAILURE_MS = MINUTE_MS;

/** The part of the alarm that a table needs. */
export type Alarm = Pick<ObjectAlarm, "bringForward">;

/**
 * The alarm of an object. A write that makes something due brings the alarm forward, and never delays it. Only the alarm itself looks for the
 * next due time in all tables. So it may ring when nothing is due: an upload that was settled since had brought it forward.
 */
export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  /** The time of the alarm; infinity if none is set, undefined until it is read. While the alarm rings, no time is earlier. */
  #at: number | undefined;
  /** The earliest time for which the alarm has to be set. */
  #wantedAt = Number.POSITIVE_INFINITY;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Reads the time of the alarm, once in the life of the object, whose calls wait for this. */
  async open(): Promise<void> {
    const at = await this.#storage.getAlarm();
    this.#at ??= at ?? Number.POSITIVE_INFINITY;
    this.#set();
  }

  /**
   * Sets the alarm to this time, unless it rings before. The caller awaits nothing between the write that makes something due and this call,
   * so that both are stored or neither. The alarm is set after the transaction of the caller, because a rollback would undo it unnoticed.
   */
  bringForward(at: number): void {
    if (at >= this.#wantedAt || (this.#at !== undefined && at >= this.#at)) return;
    if (this.#wantedAt === Number.POSITIVE_INFINITY) queueMicrotask(() => this.#set());
    this.#wantedAt = at;
  }

  /**
   * Does the work of the alarm, and sets it for the next due time.
   * @param nextDueAt asks all tables; null if nothing will be due
   */
  async ring(work: () => Promise<void>, nextDueAt: () => number | null): Promise<void> {
    this.#at = Number.NEGATIVE_INFINITY;
    let at: number | null;
    try {
      await work();
      at = nextDueAt();
    } catch (error) {
      console.error(toLogLine("alarm.failed", {}, error));
      at = Date.now() + AFTER_FAILURE_MS;
    }
    this.#at = Number.POSITIVE_INFINITY;
    if (at !== null) this.bringForward(at);
  }

  /** The storage was emptied, and the alarm with it. */
  forget(): void {
    this.#at = Number.POSITIVE_INFINITY;
    this.#wantedAt = Number.POSITIVE_INFINITY;
  }

  #set(): void {
    if (this.#at === undefined) return;
    const at = Math.max(this.#wantedAt, Date.now());
    this.#wantedAt = Number.POSITIVE_INFINITY;
    if (at >= this.#at) return;
    this.#at = at;
    void this.#storage.setAlarm(at);
  }
}
