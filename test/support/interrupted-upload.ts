import { env } from "cloudflare:workers";
import type { UploadIntent } from "../../src/account/intent.ts";
import { openDb } from "../../src/db/client.ts";
import { insertUploads } from "../../src/db/queries/uploads.ts";
import type { Upload } from "../../src/db/schema.ts";
import { newId } from "../../src/domain/ids.ts";
import { fileKey } from "../../src/media/object-key.ts";
import { meterOf } from "./account-state.ts";
import { mp4, png } from "./samples.ts";

/** An upload that goes no further than a test says: each step is the one that a request makes. */
export class InterruptedUpload {
  readonly uploadId = newId(Date.now());
  readonly objectKey: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
  readonly #accountId: string;
  #multipart: R2MultipartUpload | undefined;

  constructor(accountId: string, type: "image" | "video", sizeBytes = 1000) {
    this.#accountId = accountId;
    this.bytes = type === "image" ? png(1, 1, sizeBytes) : mp4(sizeBytes);
    this.mimeType = type === "image" ? "image/png" : "video/mp4";
    this.objectKey = fileKey(accountId, this.uploadId, "a");
  }

  async reserve() {
    const { uploadId, objectKey } = this;
    const intent: UploadIntent = { kind: "upload", uploadId, objectKey, keyId: null };
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

  async insertRow() {
    const { uploadId, objectKey, mimeType, bytes } = this;
    const row: Upload = {
      id: uploadId,
      accountId: this.#accountId,
      folderId: null,
      status: "active",
      objectKey,
      originalFilename: "a",
      mimeType,
      sizeBytes: bytes.length,
      originalSizeBytes: bytes.length,
      compressionQuality: null,
      width: 1,
      height: 1,
      favorite: false,
      tags: [],
      durationMs: null,
      thumbnailSizeBytes: null,
      thumbnailError: null,
      createdAt: Date.now(),
    };
    await insertUploads(openDb(env.DB), [row]);
  }

  async settle() {
    const { uploadId, bytes } = this;
    return meterOf(this.#accountId).settleUploads([{ uploadId, sizeBytes: bytes.length }]);
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
