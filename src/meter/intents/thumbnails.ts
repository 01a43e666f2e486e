import type { MeterContext } from "../account/context.ts";
import {
  intentId,
  isSecondPass,
  type ThumbnailIntent,
  takedownIntentId,
  uploadIntentId,
  visibilityIntentId,
} from "./intent.ts";
import type { ThumbnailReservation, ThumbnailSettlement } from "./outcomes.ts";

/** Announces a video's thumbnail and reserves storage for it. */
export async function reserveThumbnail(
  { tables, runner, load, timeoutMs }: MeterContext,
  uploadId: string,
  sizeBytes: number,
): Promise<ThumbnailReservation> {
  if (!(await load()) || tables.isDeleted(uploadId)) return "gone";
  if (tables.intents.find(uploadIntentId(uploadId)) !== undefined) return "unsettled";
  const changing = tables.intents.find(visibilityIntentId(uploadId))?.intent;
  if (changing !== undefined && !isSecondPass(changing)) return "unsettled";
  // A file that is being restored has no thumbnail yet, and is still taken down for a moment.
  const isRestoring = tables.intents.find(takedownIntentId(uploadId))?.intent.kind === "restore-file";
  if (isRestoring && tables.takedowns.has(uploadId)) return "unsettled";
  // A taken-down video keeps the mark in place of its thumbnail.
  if (tables.thumbnails.has(uploadId) || tables.takedowns.has(uploadId)) return "counted";
  const found = tables.intents.find(intentId({ kind: "thumbnail", uploadId }));
  if (tables.ledger.storageLimitBytes - tables.ledger.storageBytes < sizeBytes) return "storage-full";
  // This attempt replaces the reservation of an earlier one.
  const heldBytes = found?.reservedBytes ?? 0;
  if (tables.freeBytes + heldBytes < sizeBytes) return "storage-reserved";
  const intent: ThumbnailIntent = { kind: "thumbnail", uploadId, ...(found !== undefined && { isRepeated: true }) };
  tables.intents.put(intent, sizeBytes, Date.now() + timeoutMs());
  await runner.scheduleAlarm();
  return "reserved";
}

/**
 * Counts a thumbnail at the size that R2 has, and updates the row. A repeated call counts nothing. If several consumers make the same
 * thumbnail, the last one decides: each calls this after it has put its object, or its intent or message does.
 */
export async function settleThumbnail({ runner, load }: MeterContext, uploadId: string): Promise<ThumbnailSettlement> {
  if (!(await load())) return "gone";
  return runner.settleThumbnail(uploadId);
}
