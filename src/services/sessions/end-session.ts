import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";

/**
 * Ends a session of the account: its next request is refused.
 * @throws ServiceError 404 if the account has no such session
 */
export async function endSession({ meter }: AccountContext, sessionId: string): Promise<void> {
  if (!(await meter.endSession(sessionId))) throw ERRORS.SessionNotFound();
}
