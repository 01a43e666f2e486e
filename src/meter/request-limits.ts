import { ALLOWANCE_MICRODOLLARS, allowanceLeft, REFILL_MS, type StoredAllowance } from "../domain/allowance.ts";
import { minuteWindow, secondsUntil } from "../domain/calendar.ts";
import type { TierName } from "../domain/tiers.ts";

/** The part of its limit by which a window may admit too many requests. */
const LOST_SHARE = 10;
/** The most evictions in a minute, because a Durable Object is evicted after ten idle seconds at the earliest. */
const EVICTIONS_PER_WINDOW = 5;

/** The state of a rate window, of an account or an address. */
export interface RateFigures {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

interface StoredWindow {
  readonly startsAt: number;
  readonly count: number;
}

/**
 * Counts requests in fixed one-minute windows. An idle Durable Object loses its memory after ten seconds, so the count is stored each time
 * it has grown by more than a fiftieth of the limit. All evictions that fit into a minute then lose at most a tenth of the limit, and no
 * request below the limit is refused. At full rate this writes fifty rows a minute; a few requests write none. A row is cheaper than
 * keeping the object in memory for a timer.
 */
export class RateWindow {
  readonly #kv: SyncKvStorage;
  readonly #key: string;
  #startsAt = 0;
  #count = 0;
  #storedCount = 0;

  /** @param key the storage key: one object may have several windows */
  constructor(kv: SyncKvStorage, key = "rate-window") {
    this.#kv = kv;
    this.#key = key;
  }

  /** The end of the stored window; 0 if none is stored. */
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

  /** Begins the window of `now`, or continues the stored one. */
  #roll(now: number): void {
    const { startsAt } = minuteWindow(now);
    if (startsAt === this.#startsAt) return;
    const stored = this.#kv.get<StoredWindow>(this.#key);
    this.#startsAt = startsAt;
    this.#count = stored?.startsAt === startsAt ? stored.count : 0;
    this.#storedCount = this.#count;
  }
}

/** The account's allowance for changes (LIM-10). It writes one row for each change. */
export class Allowance {
  readonly #kv: SyncKvStorage;
  readonly #key: string;

  /** @param key as in `RateWindow` */
  constructor(kv: SyncKvStorage, key = "allowance") {
    this.#kv = kv;
    this.#key = key;
  }

  /** Takes the price of a request. @returns the seconds to wait; undefined if the allowance was not empty */
  take(microdollars: number, tier: TierName, now: number): number | undefined {
    const left = this.#left(tier, now);
    if (left <= 0) return secondsUntil(now + ((1 - left) / ALLOWANCE_MICRODOLLARS[tier]) * REFILL_MS, now);
    this.#store(left - microdollars, now);
    return undefined;
  }

  /** Takes the price of a change after it was made, because its size was not known before. */
  charge(microdollars: number, tier: TierName, now: number): void {
    this.#store(this.#left(tier, now) - microdollars, now);
  }

  #left(tier: TierName, now: number): number {
    return allowanceLeft(this.#kv.get<StoredAllowance>(this.#key), tier, now);
  }

  #store(left: number, now: number): void {
    this.#kv.put(this.#key, { left, at: now } satisfies StoredAllowance);
  }
}
