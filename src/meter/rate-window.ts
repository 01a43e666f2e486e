import { minuteWindow } from "../domain/calendar.ts";
import type { RateFigures } from "./figures.ts";

/** The part of its limit that a window may admit too much. */
const LOST_SHARE = 10;
/** A Durable Object is evicted after ten idle seconds at the earliest: so often in a minute. */
const EVICTIONS_PER_WINDOW = 5;

interface StoredWindow {
  readonly startsAt: number;
  readonly count: number;
}

/**
 * Counts requests in fixed one-minute windows. The memory of an idle Durable Object is gone after ten seconds, so the count
 * is stored as well: each time that it has grown by more than a fiftieth of the limit. All the evictions that fit into a
 * minute then lose at most a tenth of the limit, and nobody is refused who is below it. At the full rate of any tier this
 * writes fifty rows a minute; whoever makes but a few requests costs none. A row is cheaper than to keep the object in
 * memory for a timer that would write the last count only.
 */
export class RateWindow {
  readonly #kv: SyncKvStorage;
  readonly #key: string;
  #startsAt = 0;
  #count = 0;
  #storedCount = 0;

  /** @param key where it is stored: one object may have several */
  constructor(kv: SyncKvStorage, key = "rate-window") {
    this.#kv = kv;
    this.#key = key;
  }

  /** When the stored window ends; 0 where none is stored. */
  get storedUntil(): number {
    const stored = this.#kv.get<StoredWindow>(this.#key);
    return stored === undefined ? 0 : minuteWindow(stored.startsAt).endsAt;
  }

  /** Counts one request if `limit` allows it; a refused request is not counted. */
  take(now: number, limit: number): boolean {
    this.#roll(now);
    if (this.#count >= limit) return false;
    this.#count += 1;
    if (this.#count - this.#storedCount > Math.floor(limit / (LOST_SHARE * EVICTIONS_PER_WINDOW))) this.#store();
    return true;
  }

  figures(now: number, limit: number): RateFigures {
    this.#roll(now);
    return { limit, remaining: Math.max(0, limit - this.#count), resetAt: minuteWindow(now).endsAt };
  }

  #store(): void {
    const window: StoredWindow = { startsAt: this.#startsAt, count: this.#count };
    this.#kv.put(this.#key, window);
    this.#storedCount = this.#count;
  }

  /** Begins the window that `now` is in, or goes on with what is stored of it. */
  #roll(now: number): void {
    const { startsAt } = minuteWindow(now);
    if (startsAt === this.#startsAt) return;
    const stored = this.#kv.get<StoredWindow>(this.#key);
    this.#startsAt = startsAt;
    this.#count = stored?.startsAt === startsAt ? stored.count : 0;
    this.#storedCount = this.#count;
  }
}
