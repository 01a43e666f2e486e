import { ERRORS } from "../../domain/errors.ts";
import { Lines } from "../../isolate/lines.ts";
import type { AccountContext } from "../context.ts";

/** A person who types causes a few concurrent searches; a program that sends more can wait. */
const MAX_WAITING = 5;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

const lines = new Lines({ maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS });

/**
 * Runs a long query when it is the account's turn: an isolate runs one long listing of an account at a time. The query
 * finishes even if the client disconnects, because an unreleased turn blocks the line.
 * @throws ServiceError 503 if too many wait, or the wait is too long
 */
export function takeListingTurn<T>(
  { accountId, waitUntil }: Pick<AccountContext, "accountId" | "waitUntil">,
  work: () => Promise<T>,
): Promise<T> {
  const done = lines.take(accountId).then(async (turn) => {
    if (turn === undefined) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    try {
      return await work();
    } finally {
      turn.release();
    }
  });
  waitUntil(done.catch(() => undefined));
  return done;
}
