import { ERRORS } from "../../domain/errors.ts";
import type { StoredSession } from "../../meter/books/session-store.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";

/** The account's sessions that have not ended, newest first. */
export async function listSessions(account: AccountContext, query: PageQuery): Promise<Page<StoredSession>> {
  const rows: StoredSession[] = await account.meter.listSessions();
  return pageOfFew(account, query, {
    list: { name: "listSessions", accountId: account.accountId },
    rows,
    keyOf: ({ createdAt, id }) => `${String(createdAt).padStart(15, "0")} ${id}`,
    isDescending: true,
  });
}

/**
 * Ends a session of the account: its next request is refused.
 * @throws ServiceError 404 if the account has no such session
 */
export async function endSession({ meter }: AccountContext, sessionId: string): Promise<void> {
  if (!(await meter.endSession(sessionId))) throw ERRORS.SessionNotFound();
}
