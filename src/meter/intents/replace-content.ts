import type { NewContent } from "../../db/library/replace-content.ts";
import type { Upload } from "../../db/library/schema.ts";
import { findUpload } from "../../db/library/uploads.ts";
import type { MeterContext } from "../account/context.ts";
import type { AccountFigures, Refused } from "../books/figures.ts";
import { replaceOperationId } from "../books/uploads-and-deletions.ts";
import { waitForThumbnail } from "./change-visibility.ts";
import { deleteIntentId, isSecondPass, type ReplaceIntent, takedownIntentId, uploadIntentId } from "./intent.ts";
import { settleUploads } from "./upload-intents.ts";

/** Bytes that were stored as an upload in progress, and the file that gets them. */
export interface Replacement {
  readonly uploadId: string;
  /** The upload in progress. */
  readonly replacementId: string;
  readonly content: NewContent;
  /** The path of the only bytes that may be replaced; undefined: any. */
  readonly onlyFrom?: string;
}

/**
 * `gone`: the file no longer exists. `trashed`, `taken-down`: it may not be replaced. `changed`: it has other bytes than
 * `onlyFrom`. `missing`: the alarm has undone the upload. `unfinished`:
 * a thumbnail is being written. After any of these the file is as before, and the caller removes the new bytes.
 */
export type ReplacementAnswer =
  | Refused
  | { readonly outcome: "replaced"; readonly upload: Upload; readonly figures: AccountFigures }
  | {
      readonly outcome: "gone" | "trashed" | "taken-down" | "changed" | "missing" | "unfinished";
      readonly figures: AccountFigures;
    };

/**
 * Gives a file the bytes of an upload in progress. One transaction turns the upload's intent into the replacement's, with its reservation.
 * From then on the replacement is only carried forward.
 * @throws Error if a store fails: the alarm finishes the replacement
 */
export async function replaceContent(context: MeterContext, replacement: Replacement): Promise<ReplacementAnswer> {
  const { tables, runner, load, openStores } = context;
  if (!(await load()) || tables.erasing) return { outcome: "refused" };
  const { uploadId, replacementId, content, onlyFrom } = replacement;
  const answer = (outcome: Exclude<ReplacementAnswer["outcome"], "refused" | "replaced">): ReplacementAnswer => ({
    outcome,
    figures: tables.ledger.figures(Date.now()),
  });
  const isGone = () =>
    tables.erasing || tables.isDeleted(uploadId) || tables.intents.find(deleteIntentId(uploadId)) !== undefined;
  // A repeated call.
  const isDone = () => tables.ledger.log.has(replaceOperationId(uploadId, replacementId));
  // The request may know an earlier shard of the library, so it gets the row from here.
  const done = async (): Promise<ReplacementAnswer> => {
    const upload = await findUpload(openStores().library, tables.ledger.accountId, uploadId);
    if (upload === undefined) return answer("gone");
    return { outcome: "replaced", upload, figures: tables.ledger.figures(Date.now()) };
  };
  if (isDone()) return done();
  await runner.finishReplay(uploadIntentId(replacementId));
  const own = tables.intents.find(uploadIntentId(uploadId));
  if (own !== undefined) {
    // The file's row exists, so its own upload is settled first, as before a deletion.
    const row = await findUpload(openStores().library, tables.ledger.accountId, uploadId);
    if (row === undefined) return answer("gone");
    const { missing } = await settleUploads(context, [{ uploadId, sizeBytes: row.sizeBytes, row }]);
    if (missing.length > 0) return answer("gone");
  }
  if (!(await waitForThumbnail(context, uploadId))) return answer("unfinished");
  return runner.inTurnsOf(uploadId, async (carryOut) => {
    // Replacements of one file are carried out in order, because each needs the bytes that it replaces.
    for (const { id, intent } of tables.intents.listReplacements(uploadId))
      if (!isSecondPass(intent)) await carryOut(id);
    if (isDone()) return done();
    const row = await findUpload(openStores().library, tables.ledger.accountId, uploadId);
    if (row === undefined || isGone()) return answer("gone");
    if (row.status === "trash") return answer("trashed");
    if (tables.takedowns.has(uploadId) || tables.intents.find(takedownIntentId(uploadId)) !== undefined)
      return answer("taken-down");
    if (onlyFrom !== undefined && row.objectKey !== onlyFrom) return answer("changed");
    // A replay may have begun during the calls above, and would remove the new bytes.
    await runner.finishReplay(uploadIntentId(replacementId));
    const upload = tables.intents.find(uploadIntentId(replacementId));
    if (upload?.intent.kind !== "upload") return answer("missing");
    const { objectKey, sizeBytes } = row;
    const intent: ReplaceIntent = {
      kind: "replace",
      uploadId,
      replacementId,
      from: { objectKey, sizeBytes },
      to: content,
      keyId: upload.intent.keyId,
    };
    const id = tables.beginReplacement(upload, intent, Date.now() + context.timeoutMs());
    await carryOut(id);
    if (isDone()) return done();
    return answer(isGone() ? "gone" : "missing");
  });
}
