import { minuteWindow } from "../domain/calendar.ts";
import type { RateFigures } from "./figures.ts";

/**
 * Counts requests in fixed one-minute windows. It lives in memory only: a Durable Object that was idle long enough to be
 * evicted has no window to remember, and a storage write for every request would cost more than the rare restart gives away.
 */
export class RateWindow {
  #startsAt = 0;
  #count = 0;

  /** Counts one request if `limit` allows it; a refused request is not counted. */
  take(now: number, limit: number): boolean {
    this.#roll(now);
    if (this.#count >= limit) return false;
    this.#count += 1;
    return true;
  }

  figures(now: number, limit: number): RateFigures {
    this.#roll(now);
    return { limit, remaining: Math.max(0, limit - this.#count), resetAt: minuteWindow(now).endsAt };
  }

  #roll(now: number): void {
    const { startsAt } = minuteWindow(now);
    if (startsAt === this.#startsAt) return;
    this.#startsAt = startsAt;
    this.#count = 0;
  }
}
