import { and, eq, inArray, sql } from "drizzle-orm";
import type { ChangedBy } from "../../domain/file-history.ts";
import { toGrams } from "../listing/search-grams.ts";
import { withEntries } from "./file-history.ts";
import type { Library } from "./library.ts";
import { ownIds } from "./own-ids.ts";
import { type Upload, uploads } from "./schema.ts";
import { uploadSearch } from "./upload-search.ts";

/** The facts of an upload that follow from its bytes. */
export interface NewContent
  extends Pick<
    Upload,
    | "objectKey"
    | "mimeType"
    | "sizeBytes"
    | "originalSizeBytes"
    | "compressionQuality"
    | "width"
    | "height"
    | "takenAt"
    | "camera"
    | "lens"
    | "exposure"
    | "location"
    | "sha256"
    | "uploadedSha256"
    | "placeholder"
  > {
  /** Undefined: the upload keeps its name. */
  readonly originalFilename?: string;
}

/**
 * Gives an upload new bytes, if it still has the former ones. Its facts, counts and search entry change in one transaction. A repeated call
 * changes nothing.
 * @param former the upload as it was read
 * @param changedBy for the upload's history; undefined if the replacement is an old one that the row had lost
 */
export async function replaceContent(
  db: Library,
  former: Upload,
  content: NewContent,
  changedBy?: ChangedBy,
): Promise<void> {
  const { accountId, id, objectKey } = former;
  const own = and(ownIds(accountId, [id]), eq(uploads.objectKey, objectKey));
  const unknown = { durationMs: null, thumbnailSizeBytes: null, thumbnailError: null };
  const update = db
    .update(uploads)
    .set({
      ...content,
      ...unknown,
      revision: sql`${uploads.revision} + 1`,
      ...(changedBy && { history: withEntries([{ change: ["replaced", changedBy.at, changedBy.by] }]) }),
    })
    .where(own);
  await db.idempotent(() => db.batch([update, toEntry(db, { ...former, ...content })]));
}

/** Writes the search entry of an upload again, unless its bytes or its name have changed since it was read. */
export async function writeSearchEntry(db: Library, upload: Upload): Promise<void> {
  await db.idempotent(() => toEntry(db, upload).run());
}

function toEntry(db: Library, { accountId, id, objectKey, originalFilename }: Upload) {
  const same = and(
    ownIds(accountId, [id]),
    eq(uploads.objectKey, objectKey),
    eq(uploads.originalFilename, originalFilename),
  );
  const number = db.select({ number: uploads.number }).from(uploads).where(same);
  return db
    .update(uploadSearch)
    .set({ grams: toGrams(accountId, objectKey, originalFilename) })
    .where(inArray(uploadSearch.rowid, number));
}
