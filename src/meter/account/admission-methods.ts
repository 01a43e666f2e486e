import { secondsUntil } from "../../domain/calendar.ts";
import { PIECES_PER_MINUTE } from "../../domain/resumable.ts";
import { TIERS } from "../../domain/tiers.ts";
import type { Admission, ClaimAnswer, Credential } from "../answers.ts";
import { type AccountFigures, accountFigures, exhausted, isExhausted } from "../figures.ts";
import { RateWindow } from "../rate-window.ts";
import type { Claim } from "../request-claims.ts";
import { endClaim, takeClaim } from "../take-claim.ts";
import { AccountObject } from "./account-object.ts";

/** Over the month's operations, requests with a key run at this part of the tier's rate. */
const THROTTLED_SHARE = 10;

/** Who may ask for what, and how often: authentication, the minute's rate, the month's operations, and requests that bear an idempotency key. */
export abstract class AdmissionMethods extends AccountObject {
  readonly #window = new RateWindow(this.ctx.storage.kv);
  /** Of requests about unfinished uploads. */
  readonly #pieces = new RateWindow(this.ctx.storage.kv, "pieces-window");

  /**
   * Authenticates and admits one request: the only call before a handler.
   * @param isOperation whether the request asks for an operation of class A
   * @param isPiece whether it is about an unfinished upload: these have a minute's limit of their own
   */
  async admit(credential: Credential, isOperation = false, isPiece = false): Promise<Admission> {
    if (!(await this.load())) return { outcome: "refused" };
    const now = Date.now();
    if (!this.books.lives(credential, now)) return { outcome: "refused" };
    const limit = isPiece ? PIECES_PER_MINUTE : this.#ratePerMinute(credential, now);
    const window = isPiece ? this.#pieces : this.#window;
    const admitted = window.take(now, limit);
    const rate = window.figures(now, limit);
    const { settings, shard } = this.books.ledger;
    const facts = { rate, figures: accountFigures(this.books.ledger, now), settings, shard };
    if (!admitted && isOperation && isExhausted(this.books.ledger, now))
      return { ...exhausted(this.books.ledger, now), ...facts };
    if (!admitted) return { outcome: "limited", retryAfterSeconds: secondsUntil(rate.resetAt, now), ...facts };
    if (credential.kind === "key") this.books.credentials.noteKeyUse(credential.keyId, now);
    return { outcome: "admitted", ...facts };
  }

  /** The figures without counting a request. Undefined where there is no such account. */
  async read(): Promise<AccountFigures | undefined> {
    return (await this.load()) ? accountFigures(this.books.ledger, Date.now()) : undefined;
  }

  /** Says whether a request that bears an idempotency key is to be carried out. @param fingerprint what tells it from another one */
  async claim(claim: Claim, fingerprint: string): Promise<ClaimAnswer> {
    if (!(await this.load()) || this.books.erasing) return { outcome: "refused" };
    return takeClaim(claim, fingerprint, { books: this.books, runner: this.runner, timeoutMs: this.timeoutMs() });
  }

  /** A claimed request has ended without a file that is stored, or failed: it may be made anew. */
  async endClaim(claim: Claim): Promise<void> {
    this.ctx.storage.transactionSync(() => endClaim(claim, this.books));
  }

  /** Sessions keep the whole rate over the month's operations, so that people can see why, and reach their files. */
  #ratePerMinute({ kind }: Credential, now: number): number {
    const rate = TIERS[this.books.ledger.tier].requestsPerMinute;
    return kind === "key" && isExhausted(this.books.ledger, now)
      ? Math.max(1, Math.floor(rate / THROTTLED_SHARE))
      : rate;
  }
}
