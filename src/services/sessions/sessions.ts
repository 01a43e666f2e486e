import { ERRORS } from "../../domain/errors.ts";
import type { StoredSession } from "../../meter/books/session-store.ts";
import type { AccountContext } from "../context.ts";

/** The account's sessions that have not ended, newest first. */
export function listSessions({ meter }: AccountContext): Promise<StoredSession[]> {
  return meter.listSessions();
}

/**
 * Ends a session of the account: its next request is refused.
 * @throws ServiceError 404 if the account has no such session
 */
export async function endSession({ meter }: AccountContext, sessionId: string): Promise<void> {
  if (!(await meter.endSession(sessionId))) throw ERRORS.SessionNotFound();
}
