import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { readDimensions } from "../../media/dimensions.ts";
import { toSafeFileName } from "../../media/file-name.ts";
import { fileKey } from "../../media/object-key.ts";
import { isVideo, type MediaType, sniffMediaType } from "../../media/sniff.ts";
import type { AccountContext } from "../context.ts";

/** A file whose bytes are in R2, or on their way there; its row is not written yet. */
export interface StoredFile {
  readonly uploadId: string;
  readonly objectKey: string;
  readonly originalFilename: string;
  readonly mimeType: MediaType;
  readonly width: number;
  readonly height: number;
  readonly createdAt: number;
  readonly sizeBytes: number;
}

export type IdentifiedFile = Omit<StoredFile, "sizeBytes">;

/**
 * What a file is, by its first bytes: the declared type is not believed.
 * @throws ServiceError 400 for an empty file, 415 for what is neither image nor video
 */
export function identifyFile(account: AccountContext, uploadedName: string, head: Uint8Array): IdentifiedFile {
  if (head.length === 0) throw ERRORS.InvalidFile("The file is empty");
  const mimeType = sniffMediaType(head);
  if (mimeType === undefined) throw ERRORS.UnsupportedType();
  const createdAt = account.now();
  const uploadId = newId(createdAt);
  const originalFilename = toSafeFileName(uploadedName, mimeType);
  const { width, height } = (isVideo(mimeType) ? undefined : readDimensions(mimeType, head)) ?? { width: 0, height: 0 };
  return {
    uploadId,
    objectKey: fileKey(account.accountId, uploadId, originalFilename),
    originalFilename,
    mimeType,
    width,
    height,
    createdAt,
  };
}
