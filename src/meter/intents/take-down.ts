import type { Upload } from "../../db/library/schema.ts";
import { findUpload } from "../../db/library/uploads.ts";
import type { MeterContext } from "../account/context.ts";
import type { Refused } from "../books/figures.ts";
import type { StoredTakedown } from "../books/takedown-store.ts";
import { deleteIntentId, isSecondPass, takedownIntentId, uploadIntentId } from "./intent.ts";
import { settleUploads } from "./upload-intents.ts";

export type TakedownOrder = Pick<StoredTakedown, "id" | "uploadId" | "reason" | "keepUntil" | "actor">;

/** `gone`: there is no such upload. */
export type TakedownAnswer =
  | Refused
  | { readonly outcome: "taken-down"; readonly takedown: StoredTakedown }
  | { readonly outcome: "gone" };

/** `destroyed`: the bytes are no longer there. `gone`: the upload, or its takedown, no longer exists. */
export type RestoreAnswer = { readonly outcome: "restored" | "destroyed" | "gone" };

/** Takes a file of the account down. A repeated call returns the first takedown. */
export async function takeDown(context: MeterContext, order: TakedownOrder): Promise<TakedownAnswer> {
  const { tables, runner, load } = context;
  if (!(await load()) || tables.erasing) return { outcome: "refused" };
  const { uploadId } = order;
  const findRestoration = () => {
    const pending = tables.intents.find(takedownIntentId(uploadId))?.intent;
    return pending?.kind === "restore-file" ? pending.takedown : undefined;
  };
  const findStanding = () => (findRestoration() === undefined ? tables.takedowns.find(uploadId) : undefined);
  const repeat = async (takedown: StoredTakedown): Promise<TakedownAnswer> => {
    await runner.goOn(takedownIntentId(uploadId));
    return { outcome: "taken-down", takedown };
  };
  const standing = findStanding();
  if (standing !== undefined) return repeat(standing);
  const row = await findSettledBytes(context, uploadId);
  if (row === undefined || tables.isDeleted(uploadId)) return { outcome: "gone" };
  if (tables.intents.find(uploadIntentId(uploadId)) !== undefined) {
    // The row exists, so the upload is settled first, as before a deletion.
    const { missing } = await settleUploads(context, [{ uploadId, sizeBytes: row.sizeBytes, row }]);
    if (missing.length > 0) return { outcome: "gone" };
  }
  // Another call may have taken it down since.
  const newer = findStanding();
  if (newer !== undefined) return repeat(newer);
  const { objectKey, mimeType, sizeBytes, originalSizeBytes, originalFilename: fileName } = row;
  const former = findRestoration();
  // A repeated call of the takedown that was restored since: the restoration is the newer order.
  if (former?.id === order.id) return { outcome: "taken-down", takedown: former };
  const formerIds = former && { formerIds: [...(former.formerIds ?? []), former.id] };
  const facts = { objectKey, mimeType, sizeBytes, originalSizeBytes, fileName, ...hashesOf(row), ...formerIds };
  const takedown = { ...order, at: Date.now(), ...facts };
  await runner.change({ kind: "takedown", takedown }, () => tables.takedowns.put(takedown));
  return { outcome: "taken-down", takedown };
}

/** The upload after every replacement that was begun: a takedown is about the bytes that the file has. */
async function findSettledBytes(context: MeterContext, uploadId: string): Promise<Upload | undefined> {
  const { tables, runner, openStores } = context;
  const state = () =>
    tables.intents
      .listReplacements(uploadId)
      .map(({ intent }) => JSON.stringify(intent))
      .join();
  for (;;) {
    for (const { id, intent } of tables.intents.listReplacements(uploadId))
      if (!isSecondPass(intent)) await runner.goOn(id);
    const before = state();
    const row = await findUpload(openStores().library, tables.ledger.accountId, uploadId);
    if (state() === before) return row;
  }
}

/** A large file's object has no hash of its uploaded bytes. */
function hashesOf({ sha256, uploadedSha256 }: Upload): Pick<StoredTakedown, "hashes"> {
  if (sha256 === null) return {};
  return { hashes: { stored: sha256, uploaded: uploadedSha256 ?? undefined } };
}

/** Restores a file that was taken down, if its bytes were kept. */
export async function restoreFile(
  { tables, runner, load }: MeterContext,
  uploadId: string,
  takedownId: string,
): Promise<RestoreAnswer> {
  if (!(await load()) || tables.erasing) return { outcome: "gone" };
  const deletion = tables.intents.find(deleteIntentId(uploadId))?.intent;
  // It may keep the file, which then needs its bytes.
  if (deletion?.kind === "delete" && deletion.onlyFrom !== undefined) await runner.goOn(deleteIntentId(uploadId));
  const takedown = tables.takedowns.find(uploadId);
  const isGoing = tables.isDeleted(uploadId) || tables.intents.find(deleteIntentId(uploadId)) !== undefined;
  if (takedown?.id !== takedownId || isGoing) return { outcome: "gone" };
  if (takedown.keepUntil === null || takedown.keepUntil <= Date.now()) return { outcome: "destroyed" };
  await runner.change({ kind: "restore-file", takedown });
  // A takedown with another id began while the file was restored.
  return { outcome: tables.takedowns.find(uploadId)?.id === takedownId ? "destroyed" : "restored" };
}
