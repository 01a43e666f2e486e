const COUNTERS = "counters";
/** Bounds the one value that they are stored as: some 200 KB. What the service counts has a few hundred. */
const MAX_SERIES = 2000;
/** A batch that is sent again comes within seconds, so that the last ones are enough to know it by. */
const REMEMBERED_BATCHES = 512;

interface StoredCounters {
  readonly counts: Map<string, number>;
  /** Ids of the batches that were added last. */
  readonly batches: string[];
}

/**
 * What all isolates have counted, by series. They are one stored value, so that a batch costs one row however many series it has. All
 * calls are synchronous.
 */
export class ServiceCounters {
  readonly #kv: SyncKvStorage;
  #stored: StoredCounters;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#stored = kv.get<StoredCounters>(COUNTERS) ?? { counts: new Map(), batches: [] };
  }

  /** Adds a batch, once however often it is sent. Series beyond the bound are left out. */
  add(batchId: string, added: ReadonlyMap<string, number>): void {
    const { batches } = this.#stored;
    if (batches.includes(batchId)) return;
    const counts = new Map(this.#stored.counts);
    for (const [series, amount] of added) {
      const counted = counts.get(series);
      if (counted !== undefined || counts.size < MAX_SERIES) counts.set(series, (counted ?? 0) + amount);
    }
    const next = { counts, batches: [...batches, batchId].slice(-REMEMBERED_BATCHES) };
    this.#kv.put(COUNTERS, next);
    this.#stored = next;
  }

  read(): Map<string, number> {
    return this.#stored.counts;
  }
}
