import { ERRORS } from "../../domain/errors.ts";
import type { EventStart } from "../../domain/events.ts";
import type { StoredEvent } from "../../meter/events/event.ts";
import type { AccountContext } from "../context.ts";
import { type PageQuery, readCursor, toCursor } from "../paging.ts";

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** Continues after the last event of this page, also if it is the newest. */
  readonly resumeCursor: string;
}

/**
 * The account's events of the last 30 days, oldest first. The first call has the account record events from then on, until nobody has
 * asked for 30 days.
 * @throws ServiceError 400 for an invalid cursor, 404 if the account was erased
 */
export async function listEvents(
  account: AccountContext,
  { limit, cursor, from }: PageQuery & { readonly from: EventStart },
): Promise<EventPage> {
  const list = { name: "listEvents", accountId: account.accountId };
  const [after] = readCursor<[number]>(account, list, cursor) ?? [];
  const start = { oldest: 0, recent: -limit, now: Number.MAX_SAFE_INTEGER }[from];
  const slice = await account.meter.readEvents(after ?? start, limit);
  if (slice === undefined) throw ERRORS.AccountNotFound();
  const resumeCursor = toCursor(account, list, [slice.next]);
  return { events: slice.events, nextCursor: slice.hasMore ? resumeCursor : null, resumeCursor };
}
