import { toLogLine } from "../../domain/log-line.ts";
import type { MeterContext } from "../account/context.ts";
import { closeBefore } from "../events/close-events.ts";
import { type DeleteIntent, intentId, takedownIntentId, uploadIntentId } from "./intent.ts";
import type { Deletion, Unfinished } from "./outcomes.ts";
import { settleUploads } from "./upload-intents.ts";

/** Each deletion waits for D1 and R2. The platform allows six connections per invocation that wait for an answer. */
const DELETIONS_AT_ONCE = 6;

export type DeletedUpload = Omit<DeleteIntent, "kind">;

/**
 * Deletes an upload permanently: row, file and thumbnail. Frees its storage and counts the operation exactly once. With `onlyFrom`, an upload
 * that is not in the trash is kept.
 */
export async function deleteUpload(context: MeterContext, upload: DeletedUpload): Promise<Deletion> {
  const { tables, runner, load } = context;
  const now = Date.now();
  if (!(await load()) || tables.erasing) return { outcome: "refused" };
  if (tables.intents.find(uploadIntentId(upload.uploadId)) !== undefined) {
    // The row exists, so settle the upload before deleting it.
    const { missing } = await settleUploads(context, [upload]);
    if (missing.length > 0) return { outcome: "gone", figures: tables.ledger.figures(now) };
  }
  // A restoration that is under way would write the file after its deletion.
  await runner.waitForTurn(takedownIntentId(upload.uploadId));
  await closeBefore(context, [upload.uploadId]);
  const intent = deletionOf(context, { kind: "delete", ...upload });
  if (!tables.mayBegin(now, intentId(intent))) {
    // A repeated call: its first try may have used up the month's last operation.
    return tables.isDeleted(upload.uploadId)
      ? { outcome: "gone", figures: tables.ledger.figures(now) }
      : tables.ledger.exhausted(now);
  }
  const settled = await runner.change(intent);
  const isKept = !settled && upload.onlyFrom !== undefined && !tables.isDeleted(upload.uploadId);
  return {
    outcome: settled ? "deleted" : isKept ? "kept" : "gone",
    figures: tables.ledger.figures(Date.now()),
  };
}

/**
 * A deletion that was begun keeps its facts: they may be newer than the row that a later request has read. If either is unconditional,
 * the upload is deleted wherever it is.
 */
export function deletionOf({ tables }: Pick<MeterContext, "tables">, intent: DeleteIntent): DeleteIntent {
  const begun = tables.intents.find(intentId(intent))?.intent;
  if (begun?.kind !== "delete") return intent;
  const { onlyFrom, ...facts } = begun;
  return onlyFrom === undefined || intent.onlyFrom === undefined ? facts : begun;
}

/**
 * Deletes several uploads, a few at once, each with an intent of its own.
 * @returns the outcomes in the given order; `unfinished` if a store failed: the alarm finishes that deletion
 */
export async function deleteUploads(
  context: MeterContext,
  uploads: readonly DeletedUpload[],
): Promise<(Deletion | Unfinished)[]> {
  const { tables } = context;
  const answers: (Deletion | Unfinished)[] = [];
  const entries = uploads.entries();
  const work = async () => {
    for (const [at, upload] of entries) {
      answers[at] = await deleteUpload(context, upload).catch((error: unknown) => {
        console.error(toLogLine("upload.deleted-later", { uploadId: upload.uploadId }, error));
        return { outcome: "unfinished" } as const;
      });
    }
  };
  await Promise.all(Array.from({ length: DELETIONS_AT_ONCE }, work));
  if (!tables.ledger.exists) return answers;
  // Each outcome gets the final figures, because the last upload of the list may have been deleted before others.
  const figures = tables.ledger.figures(Date.now());
  return answers.map((answer) => ("figures" in answer ? { ...answer, figures } : answer));
}
