import type { Alarm } from "../object-alarm.ts";
import type { ImportStore } from "./import-store.ts";

const WAKES_KEY = "import-wakes";

/** When messages were sent last, and when they are sent again at the latest. */
interface Wakes {
  readonly sentAt: number;
  readonly nextAt: number;
}

/** The times at which an account's consumers of imports are called. */
export class ImportWakes {
  readonly #kv: DurableObjectStorage["kv"];
  readonly #imports: ImportStore;
  readonly #alarm: Alarm;

  constructor(kv: DurableObjectStorage["kv"], imports: ImportStore, alarm: Alarm) {
    this.#kv = kv;
    this.#alarm = alarm;
    this.#imports = imports;
  }

  /** The time at which the alarm has work for imports; null if there is none. */
  nextAt(): number | null {
    const pruningAt = this.#imports.nextPruningAt();
    if (this.#imports.listOpen().length === 0) return pruningAt;
    const { sentAt, nextAt } = this.#read();
    // An item that was due before was in the count of the messages.
    return Math.min(nextAt, this.#imports.nextDueAt(sentAt) ?? nextAt, pruningAt ?? nextAt);
  }

  /** Consumers are called as soon as possible. */
  wake(now: number): void {
    this.#kv.put(WAKES_KEY, { ...this.#read(), nextAt: now } satisfies Wakes);
    this.#alarm.bringForward(now);
  }

  /** Consumers were called, or cannot be called before `nextAt`. */
  noteSent(now: number, nextAt: number): void {
    this.#kv.put(WAKES_KEY, { sentAt: now, nextAt } satisfies Wakes);
  }

  #read(): Wakes {
    return this.#kv.get<Wakes>(WAKES_KEY) ?? { sentAt: 0, nextAt: 0 };
  }
}
