import { ERRORS } from "../../domain/errors.ts";
import { Lines } from "../../isolate/lines.ts";
import type { AccountContext } from "../context.ts";

/** A person who types looks for a few texts at once; a program that asks for more can wait before it asks. */
const MAX_WAITING = 5;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

const lines = new Lines({ maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS });

/**
 * Does work that keeps the database busy when it is the account's turn: of an account's long listings one is under way in an
 * isolate. What was begun is finished also where the client has gone, as a turn that nobody gives back holds up the line.
 * @throws ServiceError 503 where too many come before, or take too long
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
