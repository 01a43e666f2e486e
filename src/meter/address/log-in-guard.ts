import { DAY_MS, secondsUntil } from "../../domain/calendar.ts";
import {
  type CountLimit,
  FAILURES_OF_STRANGERS,
  FAILURES_PER_ACCOUNT_AND_ADDRESS,
  KNOWN_ADDRESS_DAYS,
  TRIES_PER_ACCOUNT_AND_ADDRESS,
} from "../../domain/log-in-limits.ts";

/** A client that is refused because of attempts in progress may return after this time. */
const ATTEMPT_SECONDS = 2;
const KNOWN_MS = KNOWN_ADDRESS_DAYS * DAY_MS;
/** A known address is stored again after this time, so that most log-ins write no row. */
const NOTED_AGAIN_MS = 30 * DAY_MS;
const MAX_KNOWN = 100;
const STEP_MS = FAILURES_OF_STRANGERS.everySeconds * 1000;

const FAILURES = "failures:";
const TRIES = "tries:";
const KNOWN = "known:";
const STRANGERS = "strangers";

interface Counted {
  readonly count: number;
  readonly endsAt: number;
}

/** An attempt in progress counts like a failure, so that a burst cannot slip through while passwords are compared. */
interface InProgress {
  readonly client: string;
  readonly isStranger: boolean;
}

/**
 * Limits the passwords that are tried for one account: wrong ones, and all (AUTH-7). Each address has its own counts, so that an attacker
 * cannot lock the owner out. All addresses that never logged in share a slow-down, which does not apply to the owner's usual addresses. The
 * slow-down also limits the stored counts. `client` is a digest of an address. Times are milliseconds since the epoch.
 */
export class LogInGuard {
  readonly #kv: SyncKvStorage;
  /** Not stored, because their callers wait for the outcome. */
  readonly #inProgress = new Set<InProgress>();

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** The seconds until this client may try a password; 0 if it may try one now. */
  waitSeconds(client: string, now: number): number {
    const tries = this.#counted(TRIES + client, TRIES_PER_ACCOUNT_AND_ADDRESS, now);
    if (tries.count >= TRIES_PER_ACCOUNT_AND_ADDRESS.count) return secondsUntil(tries.endsAt, now);
    const { count, endsAt } = this.#failures(client, now);
    const { count: limit } = FAILURES_PER_ACCOUNT_AND_ADDRESS;
    if (count >= limit) return secondsUntil(endsAt, now);
    const own = [...this.#inProgress].filter((attempt) => attempt.client === client).length;
    if (count + own >= limit) return ATTEMPT_SECONDS;
    return this.isKnown(client, now) ? 0 : this.#slowDown(now);
  }

  /** Begins an attempt. @returns a function that ends it */
  begin(client: string, now: number): () => void {
    const attempt = { client, isStranger: !this.isKnown(client, now) };
    this.#inProgress.add(attempt);
    return () => void this.#inProgress.delete(attempt);
  }

  /** @returns when the count ends */
  countTry(client: string, now: number): number {
    const tries = this.#counted(TRIES + client, TRIES_PER_ACCOUNT_AND_ADDRESS, now);
    this.#kv.put<Counted>(TRIES + client, { ...tries, count: tries.count + 1 });
    return tries.endsAt;
  }

  /** Takes back a try whose password was not compared. */
  takeBackTry(client: string): void {
    const tries = this.#kv.get<Counted>(TRIES + client);
    if (tries !== undefined) this.#kv.put(TRIES + client, { ...tries, count: Math.max(0, tries.count - 1) });
  }

  /** @returns when the count ends */
  countFailure(client: string, now: number): number {
    const failures = this.#failures(client, now);
    this.#kv.put<Counted>(FAILURES + client, { ...failures, count: failures.count + 1 });
    if (!this.isKnown(client, now)) this.#kv.put(STRANGERS, Math.max(now, this.#strangersEndAt) + STEP_MS);
    return failures.endsAt;
  }

  /** Whether the client has logged in before. */
  isKnown(client: string, now: number): boolean {
    return this.#knownSince(client) + KNOWN_MS > now;
  }

  /** Whether a log-in of the client has to be stored again. */
  isForgetting(client: string, now: number): boolean {
    return this.#knownSince(client) + NOTED_AGAIN_MS <= now;
  }

  /** Records a log-in of the client. @returns the time at which the record expires */
  remember(client: string, now: number): number {
    this.#kv.put(KNOWN + client, now);
    const known = [...this.#kv.list<number>({ prefix: KNOWN })].sort(([, one], [, other]) => other - one);
    for (const [key] of known.slice(MAX_KNOWN)) this.#kv.delete(key);
    return now + KNOWN_MS;
  }

  /** Removes expired rows. @returns the time at which the next row expires; undefined if none is left */
  clean(now: number): number | undefined {
    const ends: number[] = [];
    const keepOrDelete = (key: string, endsAt: number) => {
      if (endsAt > now) ends.push(endsAt);
      else this.#kv.delete(key);
    };
    for (const prefix of [FAILURES, TRIES])
      for (const [key, { endsAt }] of [...this.#kv.list<Counted>({ prefix })]) keepOrDelete(key, endsAt);
    for (const [key, at] of [...this.#kv.list<number>({ prefix: KNOWN })]) keepOrDelete(key, at + KNOWN_MS);
    if (this.#strangersEndAt > 0) keepOrDelete(STRANGERS, this.#strangersEndAt);
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  /** A leaky bucket of strangers' failures: each failure adds one, and one leaks out every `everySeconds`. */
  #slowDown(now: number): number {
    const failures = Math.max(0, this.#strangersEndAt - now) / STEP_MS;
    const begun = [...this.#inProgress].filter(({ isStranger }) => isStranger).length;
    const excess = failures + 1 - FAILURES_OF_STRANGERS.atOnce;
    if (excess > 0) return Math.ceil((excess * STEP_MS) / 1000);
    return excess + begun > 0 ? ATTEMPT_SECONDS : 0;
  }

  /** The time at which the strangers' bucket is empty. */
  get #strangersEndAt(): number {
    return this.#kv.get<number>(STRANGERS) ?? 0;
  }

  #knownSince(client: string): number {
    return this.#kv.get<number>(KNOWN + client) ?? -KNOWN_MS;
  }

  #failures(client: string, now: number): Counted {
    return this.#counted(FAILURES + client, FAILURES_PER_ACCOUNT_AND_ADDRESS, now);
  }

  #counted(key: string, { windowSeconds }: CountLimit, now: number): Counted {
    const stored = this.#kv.get<Counted>(key);
    return stored !== undefined && stored.endsAt > now ? stored : { count: 0, endsAt: now + windowSeconds * 1000 };
  }
}
