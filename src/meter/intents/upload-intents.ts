import type { Upload } from "../../db/library/schema.ts";
import { findUpload } from "../../db/library/uploads.ts";
import type { MeterContext } from "../account/context.ts";
import { type AccountFigures, usedUp } from "../books/figures.ts";
import { type Claim, type ClaimedResult, claimLease } from "../books/request-claims.ts";
import { toLoggedRow, uploadOperation, uploadOperationId } from "../books/uploads-and-deletions.ts";
import { intentId, isSecondPass, type UploadIntent, uploadIntentId } from "./intent.ts";
import type { StoredIntent } from "./intent-table.ts";
import type { Growth, Reservation } from "./outcomes.ts";

/**
 * Announces an upload and reserves storage: `maximumBytes` if that much is free, else everything that is free if it is at least
 * `minimumBytes`. For a file of known size both are the same. A minimum of 0 is for an image whose compressed size decides: it reserves all
 * of `maximumBytes` or nothing, so that it does not take the last free storage from other uploads.
 */
export async function reserveUpload(
  context: MeterContext,
  intent: UploadIntent,
  minimumBytes: number,
  maximumBytes: number,
): Promise<Reservation> {
  const { runner, load } = context;
  if (!(await load())) return { outcome: "refused" };
  const { replaces } = intent;
  if (replaces === undefined) return reserve(context, intent, minimumBytes, maximumBytes);
  // The turn keeps other replacements from changing the file's size before the reservation.
  return runner.inTurnsOf(replaces, async () => {
    const creditBytes = await creditOf(context, intent, replaces);
    return reserve(context, { ...intent, creditBytes }, minimumBytes, maximumBytes);
  });
}

/**
 * The bytes of a file that become free when an upload in progress replaces them. One replacement of a file at a time has this credit. No
 * upload gets it while a replacement is being carried out.
 */
async function creditOf({ tables, openStores }: MeterContext, intent: UploadIntent, uploadId: string): Promise<number> {
  const id = intentId(intent);
  const isTaken = () =>
    tables.intents.listReplacing(uploadId).some((other) => other.id !== id && (other.intent.creditBytes ?? 0) > 0) ||
    tables.intents.listReplacements(uploadId).some((other) => !isSecondPass(other.intent));
  if (isTaken()) return 0;
  const row = await findUpload(openStores().library, tables.ledger.accountId, uploadId);
  return row === undefined || tables.isDeleted(uploadId) || isTaken() ? 0 : row.sizeBytes;
}

async function reserve(
  { storage, tables, timeoutMs }: MeterContext,
  intent: UploadIntent,
  minimumBytes: number,
  maximumBytes: number,
): Promise<Reservation> {
  const now = Date.now();
  if (tables.erasing) return { outcome: "refused" };
  const id = intentId(intent);
  const resumable = tables.resumables.find(intent.uploadId);
  const { keyId, tokenId, importItem } = resumable === undefined ? intent : resumable.facts;
  const room = tokenId === undefined ? undefined : tables.roomOfToken(tokenId, intent.uploadId);
  // The token was revoked since the request was admitted. The owner may continue an upload in pieces.
  if (intent.tokenId !== undefined && room === undefined) return { outcome: "refused" };
  // Another attempt of the item has begun, or the item has ended.
  if (importItem !== undefined && !tables.imports.isBegun(importItem, intent.uploadId)) return { outcome: "refused" };
  if (!tables.mayBegin(now, id)) return tables.ledger.exhausted(now);
  const figures = tables.ledger.figures(now);
  if (tables.hasTooManyUploads(intent.uploadId, tokenId !== undefined)) return { outcome: "too-many", figures };
  if (tables.intents.keepsUploadsOut) return { outcome: "moving", figures };
  if (room !== undefined && room.files < 1) return usedUp(room, "maxFiles");
  // A repeated call has its reservation already, and so has an upload in pieces.
  const heldBytes = (tables.intents.find(id)?.reservedBytes ?? 0) + (resumable?.reservedBytes ?? 0);
  const { creditBytes = 0 } = intent;
  const freeBytes = tables.freeBytes + heldBytes + creditBytes;
  if (freeBytes <= 0 || freeBytes < minimumBytes) return { outcome: "storage-full", figures };
  const usableBytes = Math.min(freeBytes, room?.bytes ?? freeBytes);
  if (room !== undefined && (usableBytes <= 0 || usableBytes < minimumBytes)) return usedUp(room, "maxBytes");
  const reservedBytes = minimumBytes === 0 && maximumBytes > usableBytes ? 0 : Math.min(maximumBytes, usableBytes);
  storage.transactionSync(() => {
    const payer = {
      keyId,
      ...(tokenId === undefined ? {} : { tokenId }),
      ...(importItem === undefined ? {} : { importItem }),
    };
    tables.intents.put({ ...intent, ...payer }, Math.max(0, reservedBytes - creditBytes), now + timeoutMs());
    tables.resumables.clearReservation(intent.uploadId);
  });
  tables.leases.note(id, now, timeoutMs());
  return { outcome: "reserved", reservedBytes, figures };
}

/** Delays the replay of uploads in progress, and records R2's multipart upload after it was created. */
export function renewUploads(
  { tables, timeoutMs }: MeterContext,
  uploadIds: readonly string[],
  multipart?: { readonly uploadId: string; readonly multipartUploadId: string },
  claim?: Claim,
): void {
  const now = Date.now();
  const dueAt = now + timeoutMs();
  const ids = uploadIds.map(uploadIntentId);
  if (claim !== undefined) {
    ids.push(claimLease(claim));
    tables.claims.renewOld(claim, dueAt);
  }
  if (ids.length > 0) tables.leases.renew(ids, now, timeoutMs());
  if (multipart !== undefined) {
    tables.intents.renew(uploadIntentId(multipart.uploadId), dueAt, multipart.multipartUploadId);
  }
}

/**
 * Increases the reservation of an upload in progress to `wantedBytes` in total if that much is free, else to everything that is free if it
 * is at least `minimumBytes` in total. The upload keeps its present reservation in any case. Its replay is delayed.
 */
export async function growUpload(
  { tables, runner, timeoutMs }: MeterContext,
  uploadId: string,
  minimumBytes: number,
  wantedBytes: number,
): Promise<Growth> {
  const id = uploadIntentId(uploadId);
  const now = Date.now();
  tables.intents.renew(id, now + timeoutMs());
  await runner.finishReplay(id);
  const found = tables.intents.find(id);
  if (tables.erasing || tables.tombstone.erasedAt !== undefined) return { outcome: "refused" };
  if (found === undefined) return { outcome: "gone" };
  const creditBytes = creditBytesOf(found);
  const heldBytes = found.reservedBytes + creditBytes;
  const freeBytes = Math.max(heldBytes, Math.min(wantedBytes, heldBytes + tables.freeBytes));
  if (freeBytes < minimumBytes) return { outcome: "storage-full", figures: tables.ledger.figures(now) };
  const tokenId = found.intent.kind === "upload" ? found.intent.tokenId : undefined;
  const room = tokenId === undefined ? undefined : tables.roomOfToken(tokenId, uploadId);
  const reservedBytes = Math.max(heldBytes, Math.min(freeBytes, room?.bytes ?? freeBytes));
  if (room !== undefined && reservedBytes < minimumBytes) return usedUp(room, "maxBytes");
  tables.intents.grow(id, reservedBytes - creditBytes);
  return { outcome: "grown", reservedBytes };
}

/** Frees the part of a reservation that an upload does not need. */
export function shrinkUpload({ tables }: MeterContext, uploadId: string, sizeBytes: number): void {
  const found = tables.intents.find(uploadIntentId(uploadId));
  if (found !== undefined) tables.intents.shrink(found.id, Math.max(0, sizeBytes - creditBytesOf(found)));
}

function creditBytesOf({ intent }: StoredIntent): number {
  return intent.kind === "upload" ? (intent.creditBytes ?? 0) : 0;
}

/** An upload whose bytes and row are stored. The log keeps `row`. */
export interface StoredUpload {
  readonly uploadId: string;
  readonly sizeBytes: number;
  readonly row?: Upload;
}

/** An upload that its request cancels. `objectKeys` is used if its intent is gone. */
export interface GivenUpUpload {
  readonly uploadId: string;
  readonly objectKeys: readonly string[];
}

/**
 * Settles stored uploads: storage, operation and intent in one transaction. An alarm may have settled an upload before, or undone it.
 * Undone uploads are returned as `missing`. The request removes their remains; if the request dies, the alarm does.
 * @param claimed the answer to a repeated request. If another request took over the claim, all uploads are `missing`
 */
export async function settleUploads(
  { storage, tables, runner, timeoutMs }: MeterContext,
  stored: readonly StoredUpload[],
  claimed?: { readonly claim: Claim; readonly results: readonly ClaimedResult[] },
): Promise<{ missing: string[]; figures: AccountFigures | undefined }> {
  for (const { uploadId } of stored) await runner.rememberAtHome(uploadId);
  for (const { uploadId } of stored) await runner.finishReplay(uploadIntentId(uploadId));
  const now = Date.now();
  const missing: string[] = [];
  storage.transactionSync(() => {
    const isTakenOver = claimed !== undefined && !tables.claims.isHeldBy(claimed.claim);
    for (const { uploadId, sizeBytes, row } of stored) {
      const found = tables.intents.find(uploadIntentId(uploadId));
      if (tables.erasing || (isTakenOver && found !== undefined)) missing.push(uploadId);
      else if (found?.intent.kind === "upload")
        tables.settle(found, {
          storageBytes: sizeBytes,
          operation: uploadOperation(found.intent, row && toLoggedRow(row)),
          done: true,
        });
      else if (!tables.ledger.log.has(uploadOperationId(uploadId))) missing.push(uploadId);
    }
    for (const { uploadId, row } of stored) {
      if (missing.includes(uploadId)) tables.giveUp(uploadId, row ? [row.objectKey] : [], now + timeoutMs());
    }
    if (claimed !== undefined && missing.length < stored.length) {
      const results = claimed.results.filter((result) => "failed" in result || !missing.includes(result.uploadId));
      tables.claims.settle(claimed.claim, results, now);
    }
  });
  return { missing, figures: tables.ledger.exists ? tables.ledger.figures(now) : undefined };
}

/**
 * Cancels uploads of a failed request. From now on none of them is kept, even if a replay has found its row or has settled it. The request
 * removes them; the alarm removes the rest.
 */
export async function giveUpUploads(
  { storage, tables, timeoutMs }: MeterContext,
  uploads: readonly GivenUpUpload[],
): Promise<void> {
  const dueAt = Date.now() + timeoutMs();
  storage.transactionSync(() => {
    for (const { uploadId, objectKeys } of uploads) tables.giveUp(uploadId, objectKeys, dueAt);
  });
}

/**
 * Forgets uploads that left nothing in R2 and D1, and frees their reservations. If the alarm settled one of them while its row existed, the
 * count is taken back.
 */
export async function releaseUploads(
  { storage, tables, runner }: MeterContext,
  uploadIds: readonly string[],
): Promise<void> {
  for (const uploadId of uploadIds) await runner.forgetAtHome(uploadId);
  storage.transactionSync(() => {
    for (const uploadId of uploadIds) tables.release(uploadId);
  });
  for (const uploadId of uploadIds) {
    if (tables.thumbnails.has(uploadId)) await runner.change({ kind: "thumbnail", uploadId });
  }
}
