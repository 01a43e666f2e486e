import type { Upload } from "../../../src/db/library/schema.ts";
import { NEW_UPLOAD } from "../../../src/db/library/uploads.ts";
import { newId } from "../../../src/domain/ids.ts";
import { fileKey } from "../../../src/domain/object-key.ts";

/** The time of a test's upload by default. */
export const NOW = Date.UTC(2026, 5, 1);

/** A row of the database, without a file. */
export function newUpload(accountId: string, fields: Partial<Upload> = {}): Upload {
  const createdAt = fields.createdAt ?? NOW;
  const id = newId(createdAt);
  return {
    ...NEW_UPLOAD,
    id,
    accountId,
    folderId: null,
    objectKey: fileKey(accountId, id, "a.png"),
    originalFilename: "a.png",
    mimeType: "image/png",
    sizeBytes: 100,
    originalSizeBytes: 100,
    compressionQuality: null,
    width: 1,
    height: 1,
    tags: [],
    createdAt,
    ...fields,
  };
}
