import { env } from "cloudflare:workers";
import type { Upload } from "../../../src/db/library/schema.ts";
import { insertUploads, NEW_UPLOAD } from "../../../src/db/library/uploads.ts";
import { newId, newUploadId, type Shard } from "../../../src/domain/ids.ts";
import { fileKey } from "../../../src/domain/object-key.ts";
import type { Claim } from "../../../src/meter/books/request-claims.ts";
import type { UploadIntent } from "../../../src/meter/intents/intent.ts";
import { meterOf } from "../api/account-state.ts";
import { libraryOf } from "../api/databases.ts";
import { mp4, png } from "../media/samples.ts";

/** An upload that stops after any step; the steps are the real request's. */
export class InterruptedUpload {
  readonly uploadId: string;
  readonly objectKey: string;
  /** The key of a GIF's compressed form; undefined for other types. */
  readonly resultKey: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
  /** Set if the request has an idempotency key. */
  claim: Claim | undefined;
  /** Set if an upload token counts it. */
  tokenId: string | undefined;
  readonly #accountId: string;
  #multipart: R2MultipartUpload | undefined;

  /** @param madeIn the shard in its id; by default any */
  constructor(accountId: string, type: "image" | "video" | "gif", sizeBytes = 1000, madeIn?: Shard) {
    this.#accountId = accountId;
    this.uploadId = madeIn === undefined ? newId(Date.now()) : newUploadId(Date.now(), madeIn);
    this.bytes = type === "video" ? mp4(sizeBytes) : png(1, 1, sizeBytes);
    this.mimeType = type === "video" ? "video/mp4" : "image/png";
    this.objectKey = fileKey(accountId, this.uploadId, type === "gif" ? "a.gif" : "a");
    this.resultKey = type === "gif" ? fileKey(accountId, this.uploadId, "a.png") : undefined;
  }

  async reserve() {
    const { uploadId, objectKey, resultKey } = this;
    const result = resultKey === undefined ? {} : { resultKey };
    const payer = this.tokenId === undefined ? { keyId: null } : { keyId: this.tokenId, tokenId: this.tokenId };
    const intent: UploadIntent = { kind: "upload", uploadId, objectKey, ...result, ...payer, claim: this.claim };
    return meterOf(this.#accountId).reserve(intent, this.bytes.length, this.bytes.length);
  }

  async put() {
    await env.FILES.put(this.objectKey, this.bytes);
  }

  async beginMultipart() {
    this.#multipart = await env.FILES.createMultipartUpload(this.objectKey);
  }

  async announceMultipart() {
    const multipartUploadId = this.#required.uploadId;
    await meterOf(this.#accountId).renew([], { uploadId: this.uploadId, multipartUploadId });
  }

  async uploadPart() {
    return this.#required.uploadPart(1, this.bytes);
  }

  async completeMultipart() {
    await this.#required.complete([await this.uploadPart()]);
  }

  /** Stores the compressed form beside the original. */
  async putResult() {
    await env.FILES.put(this.resultKey ?? this.objectKey, this.bytes);
  }

  async deleteOriginal() {
    await env.FILES.delete(this.objectKey);
  }

  async insertRow(objectKey = this.objectKey) {
    const { uploadId, mimeType, bytes } = this;
    const row: Upload = {
      ...NEW_UPLOAD,
      id: uploadId,
      accountId: this.#accountId,
      folderId: null,
      objectKey,
      originalFilename: "a",
      mimeType,
      sizeBytes: bytes.length,
      originalSizeBytes: bytes.length,
      compressionQuality: null,
      width: 1,
      height: 1,
      tags: [],
      placeholder: "none",
      createdAt: Date.now(),
    };
    await insertUploads(await libraryOf(this.#accountId), [row]);
  }

  async settle() {
    const { uploadId, bytes } = this;
    const claimed = this.claim && { claim: this.claim, results: [{ uploadId, originalFilename: "a" }] };
    return meterOf(this.#accountId).settleUploads([{ uploadId, sizeBytes: bytes.length }], claimed);
  }

  /** Whether R2 still keeps parts of an unfinished multipart upload. */
  async hasOpenMultipart(): Promise<boolean> {
    return this.#required.uploadPart(2, new Uint8Array(10)).then(
      () => true,
      () => false,
    );
  }

  get #required(): R2MultipartUpload {
    if (this.#multipart === undefined) throw new Error("No multipart upload was begun");
    return this.#multipart;
  }
}
