import { DurableObject } from "cloudflare:workers";
import { secondsUntil } from "../domain/calendar.ts";
import type { RateFigures } from "./figures.ts";
import { RateWindow } from "./rate-window.ts";

export type AddressAdmission =
  | { readonly outcome: "admitted"; readonly rate: RateFigures }
  | { readonly outcome: "limited"; readonly retryAfterSeconds: number; readonly rate: RateFigures };

interface Attempts {
  readonly count: number;
  readonly endsAt: number;
}

const ATTEMPTS = "attempts";

/**
 * What one network address, or one login name, may do without an account: a minute's requests, and failed logins or
 * registrations in a longer window. Its name says which (`ip:...`, `login:...`, `register:...`).
 */
export class AddressMeter extends DurableObject<Env> {
  readonly #window = new RateWindow();

  async admit(limitPerMinute: number): Promise<AddressAdmission> {
    const now = Date.now();
    const admitted = this.#window.take(now, limitPerMinute);
    const rate = this.#window.figures(now, limitPerMinute);
    if (admitted) return { outcome: "admitted", rate };
    return { outcome: "limited", retryAfterSeconds: secondsUntil(rate.resetAt, now), rate };
  }

  /**
   * Counts an attempt before it is made, so that a burst cannot slip through while passwords are being compared; a
   * success takes the count back with `forgive`. Survives eviction, unlike the rate window: a guesser may be patient.
   * @returns 0 where the attempt may be made, else the seconds until it may
   */
  async attempt(limit: number, windowSeconds: number): Promise<number> {
    const now = Date.now();
    const stored = this.ctx.storage.kv.get<Attempts>(ATTEMPTS);
    const current =
      stored !== undefined && stored.endsAt > now ? stored : { count: 0, endsAt: now + windowSeconds * 1000 };
    if (current.count >= limit) return secondsUntil(current.endsAt, now);
    this.ctx.storage.kv.put(ATTEMPTS, { ...current, count: current.count + 1 });
    await this.ctx.storage.setAlarm(current.endsAt);
    return 0;
  }

  /** Takes one attempt back. */
  async forgive(): Promise<void> {
    const stored = this.ctx.storage.kv.get<Attempts>(ATTEMPTS);
    if (stored !== undefined) this.ctx.storage.kv.put(ATTEMPTS, { ...stored, count: Math.max(0, stored.count - 1) });
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
