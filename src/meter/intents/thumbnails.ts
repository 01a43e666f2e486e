import { recordThumbnailError } from "../../db/library/thumbnails.ts";
import { findUpload } from "../../db/library/uploads.ts";
import { versionOf } from "../../domain/object-key.ts";
import type { VideoFacts } from "../../domain/video-facts.ts";
import type { MeterContext } from "../account/context.ts";
import { toLoggedRow } from "../books/uploads-and-deletions.ts";
import { digestOf } from "../events/event.ts";
import { announceChanges } from "../events/requests.ts";
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
  { tables, load, timeoutMs }: MeterContext,
  uploadId: string,
  sizeBytes: number,
  objectKey?: string,
): Promise<ThumbnailReservation> {
  if (!(await load()) || tables.isDeleted(uploadId)) return "gone";
  if (tables.intents.find(uploadIntentId(uploadId)) !== undefined) return "unsettled";
  const changing = tables.intents.find(visibilityIntentId(uploadId))?.intent;
  if (changing !== undefined && !isSecondPass(changing)) return "unsettled";
  if (tables.intents.listReplacements(uploadId).some(({ intent }) => !isSecondPass(intent))) return "unsettled";
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
  const intent: ThumbnailIntent = {
    kind: "thumbnail",
    uploadId,
    ...(objectKey !== undefined && { objectKey }),
    ...(found !== undefined && { isRepeated: true }),
  };
  tables.intents.put(intent, sizeBytes, Date.now() + timeoutMs());
  return "reserved";
}

/**
 * Counts a thumbnail at the size that R2 has, and updates the row. A repeated call counts nothing. If several consumers make the same
 * thumbnail, the last one decides: each calls this after it has put its object, or its intent or message does.
 */
export async function settleThumbnail(
  { runner, load }: MeterContext,
  uploadId: string,
  objectKey?: string,
): Promise<ThumbnailSettlement> {
  if (!(await load())) return "gone";
  return runner.settleThumbnail(uploadId, objectKey);
}

/**
 * Records that a video will have no thumbnail. If an interrupted attempt stored one, the video keeps it. The event is announced before the
 * row is written, so a crash after that loses no event.
 * @returns `missing` if it was recorded
 */
export async function failThumbnail(
  context: MeterContext,
  uploadId: string,
  reason: string,
  facts: Partial<VideoFacts>,
  objectKey?: string,
): Promise<ThumbnailSettlement> {
  const { tables, openStores } = context;
  const settled = await settleThumbnail(context, uploadId, objectKey);
  if (settled !== "missing") return settled;
  const { accountId, library } = openStores();
  const version = objectKey === undefined ? uploadId : versionOf(objectKey);
  const fail = () => recordThumbnailError(library, { accountId, id: uploadId, version }, reason, facts);
  const row = tables.events.wants("thumbnail.failed") ? await findUpload(library, accountId, uploadId) : undefined;
  if (row?.thumbnailError !== null || versionOf(row.objectKey) !== version) {
    await fail();
    return settled;
  }
  const before = digestOf(toLoggedRow(row));
  const announced = await announceChanges(context, { type: "thumbnail.failed", uploads: [{ uploadId, before }] });
  await fail();
  await announced?.end();
  return settled;
}
