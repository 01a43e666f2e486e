import type { Upload } from "../../db/library/schema.ts";
import { findUploads } from "../../db/library/uploads.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { MeterContext } from "../account/context.ts";
import { deleteUpload, deletionOf } from "./delete-upload.ts";
import { deleteIntentId, intentId, takedownIntentId, uploadIntentId } from "./intent.ts";
import { settleUploads } from "./upload-intents.ts";

/** The uploads that one alarm deletes. If more are due, another alarm follows at once. */
const EXPIRIES_PER_ALARM = 50;
const DELETIONS_AT_ONCE = 6;

/** `gone`: the upload is deleted, or is being deleted. */
export type ExpiryAnswer = { readonly outcome: "set" | "gone" };

/**
 * Sets or removes the time at which an upload is deleted. From this call on the object keeps to it; the library's copy follows.
 * @param at null removes it
 */
export async function setExpiry(
  context: MeterContext,
  upload: Pick<Upload, "id" | "sizeBytes">,
  at: number | null,
): Promise<ExpiryAnswer> {
  const { tables, runner, load } = context;
  const isGone = () =>
    tables.erasing || tables.isDeleted(upload.id) || tables.intents.find(deleteIntentId(upload.id)) !== undefined;
  if (!(await load()) || isGone()) return { outcome: "gone" };
  if (tables.intents.find(uploadIntentId(upload.id)) !== undefined) {
    // The row exists, so the upload is settled first: its own expiry must not follow this one.
    const { missing } = await settleUploads(context, [{ uploadId: upload.id, sizeBytes: upload.sizeBytes }]);
    if (missing.length > 0 || isGone()) return { outcome: "gone" };
  }
  await runner.change({ kind: "set-expiry", uploadId: upload.id, at }, () => tables.expiries.set(upload.id, at));
  return { outcome: isGone() ? "gone" : "set" };
}

/**
 * Deletes some uploads whose time has come, also in the trash and beyond the month's operations. Each deletion has an intent that takes the
 * place of the expiry in one transaction. Nothing of a suspended account is deleted: its expiries wait.
 */
export async function expireUploads(context: MeterContext): Promise<void> {
  const { tables, openStores, timeoutMs } = context;
  const now = Date.now();
  if (!tables.ledger.exists || tables.erasing || tables.suspension.current !== undefined) return;
  const due = tables.expiries.listDue(now, EXPIRIES_PER_ALARM);
  if (due.length === 0) return;
  const ids = due.map(({ uploadId }) => uploadId);
  const endsAt = now + timeoutMs();
  try {
    const rows = await findUploads(openStores().library, tables.ledger.accountId, ids);
    const found = new Set(rows.map(({ id }) => id));
    // An upload without a row was deleted, or a restore of the database has lost it.
    for (const id of ids) if (!found.has(id)) tables.expiries.delete(id);
    const left = rows.values();
    const work = async () => {
      for (const row of left) {
        if (Date.now() >= endsAt) return;
        await expire(context, row);
      }
    };
    await Promise.all(Array.from({ length: DELETIONS_AT_ONCE }, work));
  } catch (error) {
    console.error(toLogLine("expiry.later", { accountId: tables.ledger.accountId }, error));
    for (const id of ids) tables.expiries.defer(id, Date.now() + timeoutMs());
  }
}

async function expire(context: MeterContext, { id, objectKey, sizeBytes }: Upload): Promise<void> {
  const { tables, runner } = context;
  // A restoration that is under way would write the file after its deletion.
  await runner.waitForTurn(takedownIntentId(id));
  // Its owner may have changed it since it was listed.
  const at = tables.expiries.find(id);
  if (at === undefined || at > Date.now()) return;
  const intent = deletionOf(context, { kind: "delete", uploadId: id, objectKey, sizeBytes, keyId: null });
  if (tables.intents.find(uploadIntentId(id)) !== undefined) {
    await deleteUpload(context, intent);
    return;
  }
  try {
    await runner.change(intent, () => tables.expiries.delete(id));
  } catch (error) {
    // The intent's replay continues.
    console.error(toLogLine("intent.not-replayed", { intentId: intentId(intent) }, error));
  }
}
