import { MINUTE_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";

/** The time for which a proof is valid for changes that a stolen session must not make (SIGN-1). */
export const RECENT_PROOF_MS = 15 * MINUTE_MS;

/** A key needs no proof: its rights are its scopes. @throws ServiceError 403 if the session's last proof is older */
export function requireRecentProof({ principal, provedAt, now }: AccountContext): void {
  if (principal.kind === "session" && now() - provedAt > RECENT_PROOF_MS) throw ERRORS.ReauthenticationRequired();
}
