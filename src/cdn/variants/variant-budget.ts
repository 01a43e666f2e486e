import { DurableObject } from "cloudflare:workers";
import {
  AWAKE_SECOND_MICRODOLLARS,
  AWAKE_SECONDS,
  allowanceLeft,
  MAX_ORDER_SECONDS,
  PROCESSOR_SECOND_MICRODOLLARS,
  type StoredAllowance,
  VARIANT_MICRODOLLARS,
} from "../../domain/allowance.ts";
import type { TierName } from "../../domain/tiers.ts";

const KEY = "allowance";

interface Stored extends StoredAllowance {
  readonly tier: TierName;
  /** The time until which this account's orders keep a media processor awake. */
  readonly awakeUntil: number;
}

/**
 * The allowance for new variants of one account's files (VAR-14), which its visitors use. It fills up over 30 days. Each account has one
 * budget in the CDN Worker, because that Worker makes variants without the API Worker.
 */
export class VariantBudget extends DurableObject {
  /** Takes the price of a variant that is about to be made. @returns false if the allowance is empty */
  take(tier: TierName): boolean {
    return this.#take(VARIANT_MICRODOLLARS, tier);
  }

  /**
   * Takes the most that an order to the media processor may cost; `settle` gives back the rest. Orders of the same minute share the time
   * in which the processor stays awake.
   * @returns false if the allowance is empty
   */
  takeOrder(tier: TierName): boolean {
    const now = Date.now();
    const until = now + AWAKE_SECONDS * 1000;
    const awakeSeconds = (until - Math.max(now, this.#read()?.awakeUntil ?? 0)) / 1000;
    const work = MAX_ORDER_SECONDS * PROCESSOR_SECOND_MICRODOLLARS;
    return this.#take(work + awakeSeconds * AWAKE_SECOND_MICRODOLLARS, tier, until);
  }

  /** Takes the price of work that was done. @param seconds below zero if less was done than was taken before */
  settle(seconds: number): void {
    const stored = this.#read();
    if (stored === undefined) return;
    const now = Date.now();
    const left = allowanceLeft(stored, stored.tier, now) - seconds * PROCESSOR_SECOND_MICRODOLLARS;
    this.ctx.storage.kv.put(KEY, { ...stored, left, at: now } satisfies Stored);
  }

  #take(microdollars: number, tier: TierName, awakeUntil?: number): boolean {
    const now = Date.now();
    const stored = this.#read();
    const left = allowanceLeft(stored, tier, now);
    if (left <= 0) return false;
    const next = { tier, left: left - microdollars, at: now, awakeUntil: awakeUntil ?? stored?.awakeUntil ?? 0 };
    this.ctx.storage.kv.put(KEY, next satisfies Stored);
    return true;
  }

  #read(): Stored | undefined {
    return this.ctx.storage.kv.get<Stored>(KEY);
  }
}
