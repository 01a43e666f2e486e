import { MINUTE_MS, secondsUntil } from "../../domain/calendar.ts";
import { KeptUntil } from "../../isolate/kept-until.ts";
import type { Admission } from "../../meter/account/outcomes.ts";
import type { Credential } from "../../meter/books/credential-store.ts";

/**
 * The facts on which the answer depends: requests for operations have another answer, and requests about unfinished uploads another window.
 */
interface Kind {
  readonly isOperation?: boolean;
  readonly isPiece?: boolean;
}

/** Refusals of this isolate's keys and sessions, by credential and kind of request. */
const refusals = new KeptUntil<Admission>();

/** The account's last answer, if it is still valid: a used-up minute frees nothing before it ends (LIM-13). */
export function findRefusal(credential: Credential, kind: Kind, now: number): Admission | undefined {
  const found = refusals.find(nameOf(credential, kind), now);
  if (found === undefined || !("retryAfterSeconds" in found)) return found;
  const endsAt = found.outcome === "limited" ? found.rate.resetAt : found.figures.operationsResetAt;
  return { ...found, retryAfterSeconds: secondsUntil(endsAt, now) };
}

/**
 * Keeps a refusal by the minute, at most until the key expires. It also keeps the end of a session and of an expired key,
 * which never live again. A refusal for want of allowance is not kept.
 */
export function noteAdmission(credential: Credential, kind: Kind, admission: Admission, now: number): void {
  const name = nameOf(credential, kind);
  const isOver = admission.outcome === "expired" || (admission.outcome === "refused" && credential.kind === "session");
  if (isOver) refusals.keep(name, admission, now + MINUTE_MS);
  if (!("retryAfterSeconds" in admission) || admission.rate.remaining > 0) return;
  const { expiresAt } = credential.kind === "key" ? credential : { expiresAt: null };
  refusals.keep(name, admission, Math.min(admission.rate.resetAt, expiresAt ?? Number.POSITIVE_INFINITY));
}

/** Forgets all refusals, for tests. */
export function forgetRefusals(): void {
  refusals.clear();
}

function nameOf(credential: Credential, { isOperation = false, isPiece = false }: Kind): string {
  const id = credential.kind === "key" ? credential.keyId : credential.sessionId;
  return `${id} ${isOperation} ${isPiece}`;
}
