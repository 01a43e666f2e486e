import { DurableObject } from "cloudflare:workers";
import { MINUTE_MS, secondsUntil } from "../../domain/calendar.ts";
import type { CountLimit } from "../../domain/log-in-limits.ts";
import { type RateFigures, RateWindow } from "../request-limits.ts";
import { LogInGuard } from "./log-in-guard.ts";
import { PasswordAttempt } from "./password-attempt.ts";

/** The rows of an address that is in use are removed at most once in this time. */
const CLEAN_AFTER_MS = 60 * MINUTE_MS;
/** A client that is refused because of attempts in progress may return after this time. */
const ATTEMPT_SECONDS = 2;
const COUNTED = "attempts";
const TRIES = "tries";
const TURNS = "turns";

export type AddressAdmission = { readonly outcome: "admitted"; readonly rate: RateFigures } | AddressLimited;

interface AddressLimited {
  readonly outcome: "limited";
  readonly retryAfterSeconds: number;
  readonly rate: RateFigures;
}

/** `retryAfterSeconds`: the time until an attempt may begin. `attempt`: the caller disposes of it at the end. */
export type AttemptAdmission = { readonly retryAfterSeconds: number } | { readonly attempt: PasswordAttempt };

/** `isForgetting`: the caller should call `rememberLogIn` after a log-in. */
export type LogInAdmission = AttemptAdmission & { readonly isForgetting: boolean };

interface Counted {
  readonly count: number;
  readonly endsAt: number;
}

/**
 * Limits one kind of action of one subject. The object's name has both: `ip:` (requests per minute and passwords of a network address),
 * `login:` (passwords for an e-mail, with or without an account), and names for actions that are counted in a longer window, for example
 * `register:`, `passkey:`, `code:`, `password-change:`, `webhook-test:`; `import-host:` (fetches from a host at the same time). Times are
 * milliseconds since the epoch.
 */
export class AddressMeter extends DurableObject<Env> {
  readonly #window: RateWindow;
  readonly #guard: LogInGuard;
  /** Attempts whose outcome is not known yet. They are not stored, because their callers wait for the outcome. */
  #attempts = 0;
  #cleaningAt = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#window = new RateWindow(state.storage.kv);
    this.#guard = new LogInGuard(state.storage.kv);
  }

  /** Counts one request in the minute, if the limit allows it. */
  async admit(limitPerMinute: number): Promise<AddressAdmission> {
    const now = Date.now();
    const admitted = this.#window.take(now, limitPerMinute);
    const rate = this.#window.figures(now, limitPerMinute);
    if (this.#window.storedUntil > now) await this.#scheduleCleaning(now + CLEAN_AFTER_MS);
    if (admitted) return { outcome: "admitted", rate };
    return { outcome: "limited", retryAfterSeconds: secondsUntil(rate.resetAt, now), rate };
  }

  /**
   * Begins a password attempt. Only failures are counted, when they are known. Attempts in progress count, too, so that a burst cannot slip
   * through while passwords are compared.
   * @param tries the limit of all attempts, right or wrong, which are counted when they begin
   */
  async beginAttempt(limit: CountLimit, tries?: CountLimit): Promise<AttemptAdmission> {
    const now = Date.now();
    if (tries !== undefined) {
      const tried = this.#counted(tries, now, TRIES);
      if (tried.count >= tries.count) return { retryAfterSeconds: secondsUntil(tried.endsAt, now) };
    }
    const { count, endsAt } = this.#counted(limit, now);
    if (count >= limit.count) return { retryAfterSeconds: secondsUntil(endsAt, now) };
    if (count + this.#attempts >= limit.count) return { retryAfterSeconds: ATTEMPT_SECONDS };
    this.#attempts += 1;
    if (tries !== undefined) await this.#count(tries, TRIES);
    return {
      attempt: new PasswordAttempt({
        failed: () => this.#count(limit),
        withdrawn: () => this.#takeBack(TRIES),
        ended: () => {
          this.#attempts -= 1;
        },
      }),
    };
  }

  /** Does the same for an address, and counts its request in the minute. */
  async admitAttempt(
    limitPerMinute: number,
    limit: CountLimit,
    tries: CountLimit,
  ): Promise<
    AddressLimited | { readonly outcome: "admitted"; readonly rate: RateFigures; readonly begun: AttemptAdmission }
  > {
    const admission = await this.admit(limitPerMinute);
    return admission.outcome === "limited" ? admission : { ...admission, begun: await this.beginAttempt(limit, tries) };
  }

  /** Begins a password attempt for this object's account. @param client a digest of the client's address */
  async beginLogIn(client: string): Promise<LogInAdmission> {
    const now = Date.now();
    const isForgetting = this.#guard.isForgetting(client, now);
    const retryAfterSeconds = this.#guard.waitSeconds(client, now);
    if (retryAfterSeconds > 0) return { retryAfterSeconds, isForgetting };
    const ended = this.#guard.begin(client, now);
    await this.#scheduleCleaning(this.#guard.countTry(client, now));
    const failed = () => this.countFailedLogIn(client);
    const withdrawn = () => this.#guard.takeBackTry(client);
    return { attempt: new PasswordAttempt({ failed, withdrawn, ended }), isForgetting };
  }

  /** Counts a wrong password whose attempt was lost. */
  async countFailedLogIn(client: string): Promise<void> {
    await this.#scheduleCleaning(this.#guard.countFailure(client, Date.now()));
  }

  /** Records that the client has logged in, so that the slow-down does not apply to it. */
  async rememberLogIn(client: string): Promise<void> {
    await this.#scheduleCleaning(this.#guard.remember(client, Date.now()));
  }

  /** Forgets the clients that have logged in, and all failures. */
  async forgetLogIns(): Promise<void> {
    await this.ctx.storage.deleteAll();
    this.#cleaningAt = 0;
  }

  /** Counts one action that is limited per window. @returns 0 if it is allowed, else the seconds until it is allowed */
  async countOne(limit: CountLimit): Promise<number> {
    const now = Date.now();
    const { count, endsAt } = this.#counted(limit, now);
    if (count >= limit.count) return secondsUntil(endsAt, now);
    await this.#count(limit);
    return 0;
  }

  /**
   * Begins or prolongs a turn, if fewer than `most` others are in progress.
   * @param until the turn's end if it is not ended before
   */
  async takeTurn(turn: string, most: number, until: number): Promise<boolean> {
    const turns = this.#turns(Date.now());
    delete turns[turn];
    if (Object.keys(turns).length >= most) return false;
    this.ctx.storage.kv.put(TURNS, { ...turns, [turn]: until });
    await this.#scheduleCleaning(until);
    return true;
  }

  async endTurn(turn: string): Promise<void> {
    const { [turn]: _, ...others } = this.#turns(Date.now());
    this.ctx.storage.kv.put(TURNS, others);
  }

  /** The ends of the turns in progress, by turn. */
  #turns(now: number): Record<string, number> {
    const stored = Object.entries(this.ctx.storage.kv.get<Record<string, number>>(TURNS) ?? {});
    return Object.fromEntries(stored.filter(([, until]) => until > now));
  }

  /** Removes expired rows. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#cleaningAt = 0;
    const counts = [COUNTED, TRIES].map((key) => this.ctx.storage.kv.get<Counted>(key)?.endsAt ?? 0);
    const keptUntil = Math.max(this.#window.storedUntil, ...counts, ...Object.values(this.#turns(now)));
    const ends = [keptUntil > now ? keptUntil : undefined, this.#guard.clean(now)].filter((end) => end !== undefined);
    if (ends.length > 0) await this.#scheduleCleaning(Math.min(...ends));
    else await this.ctx.storage.deleteAll();
  }

  #counted({ windowSeconds }: CountLimit, now: number, key = COUNTED): Counted {
    const stored = this.ctx.storage.kv.get<Counted>(key);
    return stored !== undefined && stored.endsAt > now ? stored : { count: 0, endsAt: now + windowSeconds * 1000 };
  }

  async #count(limit: CountLimit, key = COUNTED): Promise<void> {
    const counted = this.#counted(limit, Date.now(), key);
    this.ctx.storage.kv.put(key, { ...counted, count: counted.count + 1 });
    await this.#scheduleCleaning(counted.endsAt);
  }

  /** Takes back an action that was counted. */
  #takeBack(key: string): void {
    const counted = this.ctx.storage.kv.get<Counted>(key);
    if (counted !== undefined) this.ctx.storage.kv.put(key, { ...counted, count: Math.max(0, counted.count - 1) });
  }

  /** One alarm is enough: it schedules the next one. */
  async #scheduleCleaning(at: number): Promise<void> {
    if (this.#cleaningAt === 0) this.#cleaningAt = (await this.ctx.storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
    if (this.#cleaningAt <= at) return;
    this.#cleaningAt = at;
    await this.ctx.storage.setAlarm(at);
  }
}
