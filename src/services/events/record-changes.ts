import { findUploads } from "../../db/library/uploads.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { ChangeEvent } from "../../domain/events.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { toLoggedRow } from "../../meter/books/uploads-and-deletions.ts";
import { digestOf } from "../../meter/events/event.ts";
import type { AccountContext } from "../context.ts";

/**
 * Makes a change that only D1 has, and records an event for each upload that it changed. The change is announced to the account's object
 * before it is made, so that its events are sent even if the request dies after it. Nothing is announced if the account has no listener.
 * @param uploadIds the uploads that may change; an upload of another account and an unchanged upload have no event
 * @param change makes the change, and throws its errors
 */
export async function recordChanges<T>(
  account: AccountContext,
  type: Exclude<ChangeEvent, "thumbnail.failed">,
  uploadIds: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  const { library, accountId, meter } = account;
  if (!account.wantsChanges) return change();
  const rows = await findUploads(library, accountId, uploadIds);
  const uploads = rows.map((row) => ({ uploadId: row.id, before: digestOf(toLoggedRow(row)) }));
  using announced = uploads.length === 0 ? undefined : await meter.announceChanges({ type, uploads });
  if (announced === undefined) return change();
  // A request that dies, or does not know whether its change was made, leaves this to the object's timeout.
  const end = () =>
    announced.end().catch((error: unknown) => console.error(toLogLine("events.ended-later", { accountId }, error)));
  try {
    const changed = await change();
    await end();
    return changed;
  } catch (error) {
    if (error instanceof ServiceError) await end();
    throw error;
  }
}
