import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { readDimensions } from "../../media/dimensions.ts";
import { toCleanFileName, toSafeFileName } from "../../media/file-name.ts";
import { fileKey } from "../../media/object-key.ts";
import { isReadable } from "../../media/readable.ts";
import { extensionOf, isVideo, type MediaType, sniffMediaType } from "../../media/sniff.ts";
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
  /** Before compression. */
  readonly originalSizeBytes: number;
  /** The quality used; null where the stored file is the uploaded one. */
  readonly compressionQuality: number | null;
}

export type IdentifiedFile = Omit<StoredFile, "sizeBytes" | "originalSizeBytes" | "compressionQuality">;

/**
 * What a file is, by its first bytes: the declared type is not believed.
 * @param complete whether these are all of it
 * @throws ServiceError 400 for an empty file and for an image with nothing to show, 415 for what is neither image nor video
 */
export function identifyFile(
  account: AccountContext,
  uploadedName: string,
  head: Uint8Array<ArrayBuffer>,
  complete: boolean,
): IdentifiedFile {
  if (head.length === 0) throw ERRORS.InvalidFile("The file is empty");
  const mimeType = sniffMediaType(head);
  if (mimeType === undefined) throw ERRORS.UnsupportedType();
  if (!isReadable(mimeType, head, complete)) throw ERRORS.InvalidFile("Nothing in the file can be read as an image");
  const createdAt = account.now();
  const uploadId = newId(createdAt);
  const originalFilename = toCleanFileName(uploadedName, mimeType);
  const { width, height } = (isVideo(mimeType) ? undefined : readDimensions(mimeType, head)) ?? { width: 0, height: 0 };
  return {
    uploadId,
    objectKey: fileKey(account.accountId, uploadId, toSafeFileName(originalFilename, mimeType)),
    originalFilename,
    mimeType,
    width,
    height,
    createdAt,
  };
}

/** The file under another type: its stored name ends as that type's names do. */
export function withType(account: AccountContext, file: IdentifiedFile, mimeType: MediaType): IdentifiedFile {
  if (mimeType === file.mimeType) return file;
  const stem = file.originalFilename.replace(/\.[A-Za-z0-9]{1,5}$/, "");
  const name = toSafeFileName(`${stem}.${extensionOf(mimeType)}`, mimeType);
  return { ...file, mimeType, objectKey: fileKey(account.accountId, file.uploadId, name) };
}
