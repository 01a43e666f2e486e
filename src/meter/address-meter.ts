import { DurableObject } from "cloudflare:workers";
import { MINUTE_MS, secondsUntil } from "../domain/calendar.ts";
import type { RateFigures } from "./figures.ts";
import { RateWindow } from "./rate-window.ts";
import { Trial } from "./trial.ts";

/** An address that is in use has its rows removed at most this often. */
const CLEAN_AFTER_MS = 60 * MINUTE_MS;
/** Whoever is refused for the trials under way may come back when these are over. */
const TRIAL_SECONDS = 2;
const COUNTED = "attempts";

export type AddressAdmission = { readonly outcome: "admitted"; readonly rate: RateFigures } | AddressLimited;

interface AddressLimited {
  readonly outcome: "limited";
  readonly retryAfterSeconds: number;
  readonly rate: RateFigures;
}

/** So many in a window that begins with the first. */
export interface CountLimit {
  readonly count: number;
  readonly windowSeconds: number;
}

/** `retryAfterSeconds`: when a trial may begin. `trial`: to be disposed of when it is over. */
export type TrialAdmission = { readonly retryAfterSeconds: number } | { readonly trial: Trial };

interface Counted {
  readonly count: number;
  readonly endsAt: number;
}

/**
 * What one network address, or one login name, may do without an account: a minute's requests, and failed log-ins or
 * registrations in a longer window; also an account's tests of its webhook. Its name says which (`ip:...`, `login:...`, `confirm:...`,
 * `register:...`, `webhook-test:...`). Times are
 * milliseconds since the epoch.
 */
export class AddressMeter extends DurableObject<Env> {
  readonly #window: RateWindow;
  /** Trials whose outcome is not known yet. Those who are making them are waiting for it, so it need not be stored. */
  #trials = 0;
  #cleaningAt = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#window = new RateWindow(state.storage.kv);
  }

  /** Counts one request in the minute, if it may be made. */
  async admit(limitPerMinute: number): Promise<AddressAdmission> {
    const now = Date.now();
    const admitted = this.#window.take(now, limitPerMinute);
    const rate = this.#window.figures(now, limitPerMinute);
    if (this.#window.storedUntil > now) await this.#scheduleCleaning(now + CLEAN_AFTER_MS);
    if (admitted) return { outcome: "admitted", rate };
    return { outcome: "limited", retryAfterSeconds: secondsUntil(rate.resetAt, now), rate };
  }

  /**
   * Begins a trial of a password. Only failures are counted, once they are known; the trials under way are counted with
   * them, so that a burst cannot slip through while passwords are compared.
   */
  async beginTrial(limit: CountLimit): Promise<TrialAdmission> {
    const now = Date.now();
    const { count, endsAt } = this.#counted(limit, now);
    if (count >= limit.count) return { retryAfterSeconds: secondsUntil(endsAt, now) };
    if (count + this.#trials >= limit.count) return { retryAfterSeconds: TRIAL_SECONDS };
    this.#trials += 1;
    return {
      trial: new Trial({
        failed: () => this.#count(limit),
        ended: () => {
          this.#trials -= 1;
        },
      }),
    };
  }

  /** The same for an address, whose request is counted in the minute by the same call. */
  async admitTrial(
    limitPerMinute: number,
    limit: CountLimit,
  ): Promise<
    AddressLimited | { readonly outcome: "admitted"; readonly rate: RateFigures; readonly begun: TrialAdmission }
  > {
    const admission = await this.admit(limitPerMinute);
    return admission.outcome === "limited" ? admission : { ...admission, begun: await this.beginTrial(limit) };
  }

  /**
   * Counts one of what may be done so often in a window.
   * @returns 0 where it may be done, else the seconds until it may
   */
  async countOne(limit: CountLimit): Promise<number> {
    const now = Date.now();
    const { count, endsAt } = this.#counted(limit, now);
    if (count >= limit.count) return secondsUntil(endsAt, now);
    await this.#count(limit);
    return 0;
  }

  /** Removes what has run out. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#cleaningAt = 0;
    const keptUntil = Math.max(this.#window.storedUntil, this.ctx.storage.kv.get<Counted>(COUNTED)?.endsAt ?? 0);
    if (keptUntil > now) await this.#scheduleCleaning(keptUntil);
    else await this.ctx.storage.deleteAll();
  }

  #counted({ windowSeconds }: CountLimit, now: number): Counted {
    const stored = this.ctx.storage.kv.get<Counted>(COUNTED);
    return stored !== undefined && stored.endsAt > now ? stored : { count: 0, endsAt: now + windowSeconds * 1000 };
  }

  async #count(limit: CountLimit): Promise<void> {
    const counted = this.#counted(limit, Date.now());
    this.ctx.storage.kv.put(COUNTED, { ...counted, count: counted.count + 1 });
    await this.#scheduleCleaning(counted.endsAt);
  }

  /** One alarm is enough: it looks when the next is due. */
  async #scheduleCleaning(at: number): Promise<void> {
    if (this.#cleaningAt !== 0) return;
    this.#cleaningAt = (await this.ctx.storage.getAlarm()) ?? at;
    if (this.#cleaningAt === at) await this.ctx.storage.setAlarm(at);
  }
}
