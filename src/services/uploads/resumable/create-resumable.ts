import { ERRORS } from "../../../domain/errors.ts";
import { newUploadId } from "../../../domain/ids.ts";
import { MAX_RESUMABLE_BYTES, MAX_UNFINISHED } from "../../../domain/resumable.ts";
import type { Resumable } from "../../../meter/resumable.ts";
import { type AccountContext, payingKey } from "../../context.ts";
import { addFields, NO_FIELDS, type UploadFieldTexts } from "../receive/upload-fields.ts";
import { storageFull } from "./storage-full.ts";

/** What a client says of an upload that will come in pieces. */
export interface ResumableDescription extends UploadFieldTexts {
  /** In bytes; null where it is said later. */
  readonly length: number | null;
  readonly filename: string;
  /** `Upload-Metadata` as it was sent. */
  readonly metadata: string | null;
}

/**
 * Announces an upload that will come in pieces, and sets storage aside for it.
 * @throws ServiceError 400, 404 for an unknown folder, 413, 429
 */
export async function createResumable(account: AccountContext, description: ResumableDescription): Promise<Resumable> {
  const { length, filename, metadata, ...said } = description;
  if (length === 0) throw ERRORS.InvalidFile("The file is empty");
  if (length !== null && length > MAX_RESUMABLE_BYTES) throw ERRORS.UploadTooLong(MAX_RESUMABLE_BYTES);
  const { folderId, tags } = await addFields(account, NO_FIELDS, said);
  const creation = await account.meter.createResumable({
    id: newUploadId(account.now(), account.shard),
    length,
    facts: { metadata, filename, folderId, tags, keyId: payingKey(account.principal) },
  });
  switch (creation.outcome) {
    case "created":
      account.figures = creation.figures;
      return creation.upload;
    case "storage-full":
      throw storageFull(account, creation);
    case "operations-exhausted":
      account.figures = creation.figures;
      throw ERRORS.OperationsExhausted(creation.retryAfterSeconds);
    case "too-many":
      throw ERRORS.TooManyOf("unfinished uploads", MAX_UNFINISHED);
    case "refused":
      throw ERRORS.InvalidKey();
  }
}
