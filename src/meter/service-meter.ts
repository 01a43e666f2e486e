import { DurableObject } from "cloudflare:workers";
import { ServiceCounters } from "./service-counters.ts";

/** The one object's name. */
export const SERVICE_METER_NAME = "service";

/** What the operator is told of the whole service. */
export interface ServiceFigures {
  /** By series; those of a histogram's buckets are not summed up. */
  readonly counts: Map<string, number>;
}

/**
 * What concerns the whole service and no one account, for its operator. No request waits for it: isolates hand their counts on when
 * their answers are given.
 */
export class ServiceMeter extends DurableObject<Env> {
  readonly #counters: ServiceCounters;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#counters = new ServiceCounters(state.storage.kv);
  }

  /** Adds what an isolate has counted. @param batchId the same where it is sent again: it is added once */
  async addCounts(batchId: string, counts: ReadonlyMap<string, number>): Promise<void> {
    this.#counters.add(batchId, counts);
  }

  async read(): Promise<ServiceFigures> {
    return { counts: this.#counters.read() };
  }

  /** Answers if the object does. */
  async ping(): Promise<void> {}
}
