import { DurableObject } from "cloudflare:workers";
import { type DeadLetter, DeadLetters, type FailedLetter } from "./dead-letters.ts";
import { addToHours, type HourFigures } from "./hours.ts";
import { type OverdueIntent, OverdueRegistry, type RegisteredIntent } from "./overdue-registry.ts";

/** The name of the only object. */
export const SERVICE_METER_NAME = "service";

/** Figures of the whole service, for the operator. */
export interface ServiceFigures {
  /** Counts by series. The buckets of a histogram are not summed up. */
  readonly counts: Map<string, number>;
  readonly deadLetters: ReturnType<DeadLetters["figures"]>;
  readonly overdueIntents: ReturnType<OverdueRegistry["figures"]>;
}

/**
 * Counts and failures of the whole service, for its operator. No request waits for it: isolates send their counts after their answers, and
 * failures are reported by alarms and queues.
 */
export class ServiceMeter extends DurableObject<Env> {
  readonly #counters: ServiceCounters;
  readonly #overdue: OverdueRegistry;
  readonly #letters: DeadLetters;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#counters = new ServiceCounters(state.storage.kv);
    this.#overdue = new OverdueRegistry(state.storage.sql);
    this.#letters = new DeadLetters(state.storage);
  }

  /** Adds an isolate's counts. @param batchId the same in a repeated call, which then adds nothing */
  async addCounts(batchId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    this.#counters.add(batchId, counts);
  }

  /** The figures of the last two weeks that have some, oldest first. */
  async hours(): Promise<readonly HourFigures[]> {
    return this.#counters.hours;
  }

  async read(): Promise<ServiceFigures> {
    return {
      counts: this.#counters.read(),
      deadLetters: this.#letters.figures(),
      overdueIntents: this.#overdue.figures(),
    };
  }

  /** Replaces the overdue intents of an account. */
  async reportIntents(accountId: string, intents: readonly OverdueIntent[]): Promise<void> {
    this.ctx.storage.transactionSync(() => this.#overdue.replace(accountId, intents, Date.now()));
  }

  async listIntents(after: number, limit: number): Promise<RegisteredIntent[]> {
    return this.#overdue.list(after, limit);
  }

  /** Returns the messages of a dead-letter queue that the operator has dropped or sent again. */
  async droppedLetters(ids: readonly string[]): Promise<string[]> {
    return this.#letters.dropped(ids);
  }

  /**
   * Records the deliveries of a dead-letter queue's messages.
   * @param handled messages that are no longer listed
   * @returns the ids of failed messages that this object keeps
   */
  async reportLetters(failed: readonly FailedLetter[], handled: readonly string[]): Promise<string[]> {
    return this.ctx.storage.transactionSync(() => {
      this.#letters.remove(handled);
      return failed.filter((letter) => this.#letters.note(letter, Date.now())).map(({ id }) => id);
    });
  }

  async listLetters(after: number, limit: number): Promise<DeadLetter[]> {
    return this.#letters.list(after, limit);
  }

  async readLetters(ids: readonly string[]): Promise<Pick<FailedLetter, "id" | "queue" | "body">[]> {
    return this.#letters.read(ids);
  }

  /** @returns the number of dropped letters */
  async dropLetters(ids: readonly string[]): Promise<number> {
    return this.ctx.storage.transactionSync(() => this.#letters.drop(ids));
  }

  /** Returns if the object can be reached. */
  async ping(): Promise<void> {}
}

const COUNTERS = "counters";
/** The most series. They limit the one stored value to some 200 KB; the service has a few hundred series. */
const MAX_SERIES = 2000;
/** A repeated batch arrives within seconds, so the last batch ids are enough to recognise it. */
const REMEMBERED_BATCHES = 512;

interface StoredCounters {
  readonly counts: Map<string, number>;
  /** Ids of the last batches. */
  readonly batches: string[];
  /** Missing in values of earlier versions. */
  readonly hours?: readonly HourFigures[];
}

/**
 * The counts of all isolates, by series. They are one stored value, so that a batch costs one row for any number of series. All calls are
 * synchronous.
 */
class ServiceCounters {
  readonly #kv: SyncKvStorage;
  #stored: StoredCounters;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#stored = kv.get<StoredCounters>(COUNTERS) ?? { counts: new Map(), batches: [] };
  }

  /** Adds a batch. A repeated call adds nothing. Series beyond the limit are left out. */
  add(batchId: string, added: ReadonlyMap<string, number>): void {
    const { batches } = this.#stored;
    if (batches.includes(batchId)) return;
    const counts = new Map(this.#stored.counts);
    for (const [series, amount] of added) {
      const counted = counts.get(series);
      if (counted !== undefined || counts.size < MAX_SERIES) counts.set(series, (counted ?? 0) + amount);
    }
    const next = {
      counts,
      batches: [...batches, batchId].slice(-REMEMBERED_BATCHES),
      hours: addToHours(this.hours, added, Date.now()),
    };
    this.#kv.put(COUNTERS, next);
    this.#stored = next;
  }

  read(): Map<string, number> {
    return this.#stored.counts;
  }

  get hours(): readonly HourFigures[] {
    return this.#stored.hours ?? [];
  }
}
