import type { Upload } from "../../db/library/schema.ts";
import type { Growth, Reservation } from "../answers.ts";
import { type AccountFigures, accountFigures, exhausted } from "../figures.ts";
import { intentId, type UploadIntent, uploadIntentId } from "../intent.ts";
import { uploadOperationId } from "../operation-log.ts";
import { toLoggedRow, uploadOperation } from "../perform-intent.ts";
import type { Claim, ClaimedResult } from "../request-claims.ts";
import { AdmissionMethods } from "./admission-methods.ts";

/** Uploads that come in one request, from the storage that is set aside for them to the operation that is counted. All are intents. */
export abstract class UploadMethods extends AdmissionMethods {
  /**
   * Announces an upload and sets storage aside for it: `maximumBytes` if there is as much, else what is left, as long as
   * that is at least `minimumBytes` (for a file whose size is known both are the same). With a minimum of 0, for an image
   * that is judged by what it is compressed to, it is all or nothing: it keeps no room from others that may not suffice.
   */
  async reserve(intent: UploadIntent, minimumBytes: number, maximumBytes: number): Promise<Reservation> {
    const now = Date.now();
    if (!(await this.load()) || this.books.erasing) return { outcome: "refused" };
    const id = intentId(intent);
    if (!this.books.mayBegin(now, id)) return exhausted(this.books.ledger, now);
    const figures = accountFigures(this.books.ledger, now);
    if (this.mover.keepsUploadsOut) return { outcome: "moving", figures };
    // A call that is made again has set aside what it asks for already, and so has an upload that came in pieces.
    const resumable = this.books.resumables.find(intent.uploadId);
    const heldBytes = (this.books.intents.find(id)?.reservedBytes ?? 0) + (resumable?.reservedBytes ?? 0);
    const freeBytes = this.books.freeBytes + heldBytes;
    if (freeBytes <= 0 || freeBytes < minimumBytes) return { outcome: "storage-full", figures };
    const reservedBytes = minimumBytes === 0 && maximumBytes > freeBytes ? 0 : Math.min(maximumBytes, freeBytes);
    this.ctx.storage.transactionSync(() => {
      const keyId = resumable === undefined ? intent.keyId : resumable.facts.keyId;
      this.books.intents.put({ ...intent, keyId }, reservedBytes, now + this.timeoutMs());
      this.books.resumables.clearReservation(intent.uploadId);
    });
    await this.runner.scheduleAlarm();
    return { outcome: "reserved", reservedBytes, figures };
  }

  /**
   * A sign of life of uploads under way, and of the request that brings them; names R2's multipart upload where one was
   * begun.
   */
  async renew(
    uploadIds: readonly string[],
    multipart?: { uploadId: string; multipartUploadId: string },
    claim?: Claim,
  ): Promise<void> {
    const dueAt = Date.now() + this.timeoutMs();
    if (claim !== undefined) this.books.claims.renew(claim, dueAt);
    for (const uploadId of uploadIds) this.books.intents.renew(uploadIntentId(uploadId), dueAt);
    if (multipart !== undefined) {
      this.books.intents.renew(uploadIntentId(multipart.uploadId), dueAt, multipart.multipartUploadId);
    }
  }

  /**
   * Sets more storage aside for an upload under way: `wantedBytes` in total if there is as much, else what there is, as long
   * as that is at least `minimumBytes` in total. What it has it keeps in any case. A sign of life, too.
   */
  async grow(uploadId: string, minimumBytes: number, wantedBytes: number): Promise<Growth> {
    const id = uploadIntentId(uploadId);
    const now = Date.now();
    this.books.intents.renew(id, now + this.timeoutMs());
    await this.runner.finishReplay(id);
    const found = this.books.intents.find(id);
    if (this.books.erasing || this.books.tombstone.erasedAt !== undefined) return { outcome: "refused" };
    if (found === undefined) return { outcome: "gone" };
    const availableBytes = found.reservedBytes + this.books.freeBytes;
    const reservedBytes = Math.max(found.reservedBytes, Math.min(wantedBytes, availableBytes));
    if (reservedBytes < minimumBytes)
      return { outcome: "storage-full", figures: accountFigures(this.books.ledger, now) };
    this.books.intents.grow(id, reservedBytes);
    return { outcome: "grown", reservedBytes };
  }

  /** An upload has all its bytes: what it reserved beyond them is free again. */
  async shrink(uploadId: string, sizeBytes: number): Promise<void> {
    this.books.intents.shrink(uploadIntentId(uploadId), sizeBytes);
  }

  /**
   * Settles uploads whose bytes and rows are stored: storage, operation and intent in one transaction. Those that an alarm
   * had undone before are returned as `missing`: what their request has put there since goes, by the request or, where that dies, by the
   * alarm. Those that it had kept are settled already. The log keeps `row`.
   * @param claimed what to answer whoever sends the same request again. Where another one has taken its place, all are `missing`
   */
  async settleUploads(
    stored: readonly { readonly uploadId: string; readonly sizeBytes: number; readonly row?: Upload }[],
    claimed?: { readonly claim: Claim; readonly results: readonly ClaimedResult[] },
  ): Promise<{ missing: string[]; figures: AccountFigures | undefined }> {
    for (const { uploadId } of stored) await this.runner.finishReplay(uploadIntentId(uploadId));
    const now = Date.now();
    const missing: string[] = [];
    this.ctx.storage.transactionSync(() => {
      const isTakenOver = claimed !== undefined && !this.books.claims.isHeldBy(claimed.claim);
      for (const { uploadId, sizeBytes, row } of stored) {
        const found = this.books.intents.find(uploadIntentId(uploadId));
        if (this.books.erasing || (isTakenOver && found !== undefined)) missing.push(uploadId);
        else if (found?.intent.kind === "upload")
          this.books.settle(found, {
            storageBytes: sizeBytes,
            operation: uploadOperation(found.intent, row && toLoggedRow(row)),
            done: true,
          });
        else if (!this.books.ledger.log.has(uploadOperationId(uploadId))) missing.push(uploadId);
      }
      for (const { uploadId, row } of stored) {
        if (missing.includes(uploadId)) this.books.giveUp(uploadId, row ? [row.objectKey] : [], now + this.timeoutMs());
      }
      if (claimed !== undefined && missing.length < stored.length) {
        const results = claimed.results.filter((result) => "failed" in result || !missing.includes(result.uploadId));
        this.books.claims.settle(claimed.claim, results, now);
      }
    });
    if (missing.length > 0) await this.runner.scheduleAlarm();
    return { missing, figures: this.books.ledger.exists ? accountFigures(this.books.ledger, now) : undefined };
  }

  /**
   * Says that a request has failed and removes these uploads of it: from here on none of them is kept, though a replay may have seen
   * its row and be about to, or has kept it already. What the request does not get done the alarm does.
   */
  async giveUp(
    uploads: readonly { readonly uploadId: string; readonly objectKeys: readonly string[] }[],
  ): Promise<void> {
    const dueAt = Date.now() + this.timeoutMs();
    this.ctx.storage.transactionSync(() => {
      for (const { uploadId, objectKeys } of uploads) this.books.giveUp(uploadId, objectKeys, dueAt);
    });
    await this.runner.scheduleAlarm();
  }

  /**
   * Forgets uploads that left nothing in R2 and D1, and frees what they had reserved. One that the alarm had kept, as its
   * row was there for a while, is counted no more.
   */
  async release(uploadIds: readonly string[]): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      for (const uploadId of uploadIds) this.books.release(uploadId);
    });
    for (const uploadId of uploadIds) {
      if (this.books.thumbnails.has(uploadId)) await this.runner.change({ kind: "thumbnail", uploadId });
    }
  }
}
