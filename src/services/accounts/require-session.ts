import { ERRORS } from "../../domain/errors.ts";
import type { Principal } from "../../domain/principal.ts";

/** The session that changes or erases an account. @throws ServiceError 403 for a key */
export function requireSession(principal: Principal): string {
  if (principal.kind !== "session") throw ERRORS.SessionRequired();
  return principal.sessionId;
}
