import { secondsUntil } from "../../domain/calendar.ts";
import { PIECES_PER_MINUTE } from "../../domain/resumable.ts";
import { TIERS } from "../../domain/tiers.ts";
import type { Credential } from "../books/credential-store.ts";
import type { AccountFigures } from "../books/figures.ts";
import type { StoredUploadToken } from "../books/upload-token-store.ts";
import type { AccountTables } from "./account-tables.ts";
import type { MeterContext } from "./context.ts";
import type { Admission } from "./outcomes.ts";

/** The factor by which requests with a key are slowed down after the month's operations are used up (LIM-6). */
const THROTTLE_FACTOR = 10;

interface AdmittedKind {
  readonly isOperation: boolean;
  readonly isPiece: boolean;
  readonly microdollars: number;
}

/**
 * Authenticates and admits one request.
 * @param kind `isOperation`: the request asks for a Class A operation. `isPiece`: the request is about an unfinished upload; such requests
 * have their own limit a minute. `microdollars`: the price, taken from the allowance
 */
export async function admit(
  context: MeterContext,
  credential: Credential,
  { isOperation, isPiece, microdollars }: AdmittedKind,
): Promise<Admission> {
  const { tables, load } = context;
  if (!(await load())) return { outcome: "refused" };
  const now = Date.now();
  if (!tables.lives(credential, now)) return { outcome: "refused" };
  const token = credential.kind === "token" ? tables.uploadTokens.findByHash(credential.hash) : undefined;
  if (hasExpired(credential, token, now)) return { outcome: "expired" };
  const { requests, pieces, allowance } = bucketsOf(context, credential);
  const limit = isPiece ? PIECES_PER_MINUTE[tables.ledger.tier] : ratePerMinute(tables, credential, now);
  const window = isPiece ? pieces : requests;
  const admitted = window.take(now, limit);
  const rate = window.figures(now, limit);
  const { settings, shard } = tables.ledger;
  const provedAt =
    credential.kind === "session" ? tables.sessions.use(credential.sessionId, credential.address, now) : 0;
  const facts = {
    rate,
    figures: tables.ledger.figures(now),
    settings,
    shard,
    provedAt,
    ...(token && { token }),
    ...(tables.events.wantsChanges(now) && { wantsChanges: true as const }),
  };
  if (!admitted && isOperation && tables.ledger.isExhausted(now)) return { ...tables.ledger.exhausted(now), ...facts };
  if (!admitted) return { outcome: "limited", retryAfterSeconds: secondsUntil(rate.resetAt, now), ...facts };
  const suspension = tables.suspension.current;
  if (suspension !== undefined) return { outcome: "suspended", reason: suspension.reason, ...facts };
  const waitSeconds = microdollars > 0 ? allowance.take(microdollars, tables.ledger.tier, now) : undefined;
  if (waitSeconds !== undefined) return { outcome: "limited", retryAfterSeconds: waitSeconds, ...facts };
  if (credential.kind === "key") tables.credentials.noteKeyUse(credential.keyId, now);
  return { outcome: "admitted", ...facts };
}

/** This object's clock decides, so that all requests refuse the key from the same moment on. */
function hasExpired(credential: Credential, token: StoredUploadToken | undefined, now: number): boolean {
  const { expiresAt = null } = token ?? (credential.kind === "key" ? credential : {});
  return expiresAt !== null && expiresAt <= now;
}

/** Visitors with upload tokens have windows and an allowance of their own, as large as the account's (TOK-6). */
function bucketsOf({ requestWindow, pieceWindow, allowance, visitors }: MeterContext, { kind }: Credential) {
  return kind === "token" ? visitors : { requests: requestWindow, pieces: pieceWindow, allowance };
}

/** Returns the figures without counting a request; undefined if there is no such account. */
export async function readFigures({ tables, load }: MeterContext): Promise<AccountFigures | undefined> {
  return (await load()) ? tables.ledger.figures(Date.now()) : undefined;
}

/** Sessions keep the tier's full rate after the month's operations are used up (LIM-6). */
function ratePerMinute({ ledger }: AccountTables, { kind }: Credential, now: number): number {
  const rate = TIERS[ledger.tier].requestsPerMinute;
  return kind !== "session" && ledger.isExhausted(now) ? Math.max(1, Math.floor(rate / THROTTLE_FACTOR)) : rate;
}
