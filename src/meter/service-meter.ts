import { DurableObject } from "cloudflare:workers";
import { type DeadLetter, DeadLetters, type FailedLetter } from "./dead-letters.ts";
import { type OverdueIntent, OverdueRegistry, type RegisteredIntent } from "./overdue-registry.ts";
import { ServiceCounters } from "./service-counters.ts";

/** The one object's name. */
export const SERVICE_METER_NAME = "service";

/** What the operator is told of the whole service. */
export interface ServiceFigures {
  /** By series; those of a histogram's buckets are not summed up. */
  readonly counts: Map<string, number>;
  readonly deadLetters: ReturnType<DeadLetters["figures"]>;
  readonly overdueIntents: ReturnType<OverdueRegistry["figures"]>;
}

/**
 * What concerns the whole service and no one account, for its operator. No request waits for it: isolates hand their counts on when
 * their answers are given, and what fails is told of by alarms and queues.
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

  /** Adds what an isolate has counted. @param batchId the same where it is sent again: it is added once */
  async addCounts(batchId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    this.#counters.add(batchId, counts);
  }

  async read(): Promise<ServiceFigures> {
    return {
      counts: this.#counters.read(),
      deadLetters: this.#letters.figures(),
      overdueIntents: this.#overdue.figures(),
    };
  }

  /** An account's intents whose replay failed, all of them: they take the place of those that it told of before. */
  async reportIntents(accountId: string, intents: readonly OverdueIntent[]): Promise<void> {
    this.ctx.storage.transactionSync(() => this.#overdue.replace(accountId, intents, Date.now()));
  }

  async listIntents(after: number, limit: number): Promise<RegisteredIntent[]> {
    return this.#overdue.list(after, limit);
  }

  /** Those of a dead-letter queue's messages that the operator has dropped or sent again. */
  async droppedLetters(ids: readonly string[]): Promise<string[]> {
    return this.#letters.dropped(ids);
  }

  /**
   * What became of a dead-letter queue's messages.
   * @param handled are no longer listed
   * @returns the ids of those that failed and are kept here
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

  /** @returns how many there were */
  async dropLetters(ids: readonly string[]): Promise<number> {
    return this.ctx.storage.transactionSync(() => this.#letters.drop(ids));
  }

  /** Answers if the object does. */
  async ping(): Promise<void> {}
}
