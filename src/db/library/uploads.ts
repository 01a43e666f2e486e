import { and, eq, getTableColumns, inArray, isNull, notExists, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { ChangedBy } from "../../domain/file-history.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { LibraryMovedError } from "../library-moved-error.ts";
import { toGrams } from "../listing/search-grams.ts";
import { changeUploads, type DueChange } from "./change-uploads.ts";
import type { DueEntry } from "./file-history.ts";
import type { Library } from "./library.ts";
import { findLibraryState } from "./library-state.ts";
import { ownIds } from "./own-ids.ts";
import { libraries, movedUploads, type Upload, uploads } from "./schema.ts";
import { uploadSearch } from "./upload-search.ts";

/** An upload's columns without the number, which does not fit in a JavaScript number, and without its history, which few callers need. */
const { number: _, history: __, ...columns } = getTableColumns(uploads);
export const uploadColumns = columns;

/** The facts of an upload that nothing has been done with yet. */
export const NEW_UPLOAD = {
  status: "active",
  favorite: false,
  durationMs: null,
  thumbnailSizeBytes: null,
  thumbnailError: null,
  takedown: null,
  placeholder: null,
  visibility: "public",
  externalId: null,
  metadata: null,
  alt: null,
  expiresAt: null,
  takenAt: null,
  camera: null,
  lens: null,
  exposure: null,
  location: null,
  focalPoint: null,
  sha256: null,
  uploadedSha256: null,
  revision: 0,
  uploadedBy: null,
} as const satisfies Partial<Upload>;

/** SQLite's integers have 63 bits, so the last millisecond that fits is in the year 2248. */
const MAX_NUMBER = 2n ** 63n - 1n;

/**
 * Inserts the uploads of one request, all or none. Existing ones do not change. Uploads of the same millisecond are numbered in the given
 * order.
 * @throws ConstraintError `foreign-key` if the account or the folder does not exist, `unique` if another upload has an external id
 */
export async function insertUploads(db: Library, rows: readonly Upload[]): Promise<void> {
  const [first, ...rest] = rows.flatMap((row): BatchItem<"sqlite">[] => [
    db
      .insert(uploads)
      .values({ ...row, number: nextNumber(row.createdAt) })
      .onConflictDoNothing({ target: uploads.id }),
    db.insert(uploadSearch).select(
      db
        .select({
          rowid: uploads.number,
          grams: sql`${toGrams(row.accountId, row.objectKey, row.originalFilename)}`.as("grams"),
        })
        .from(uploads)
        .where(
          and(eq(uploads.id, row.id), sql`NOT EXISTS (SELECT 1 FROM upload_search WHERE rowid = ${uploads.number})`),
        ),
    ),
  ]);
  if (first !== undefined) await db.idempotent(() => db.batch([first, ...rest]));
}

/** The first number of the millisecond that no upload has. */
function nextNumber(createdAt: number): SQL {
  const from = numberAt(createdAt);
  return sql`(SELECT ifnull(max(number) + 1, ${from}) FROM ${uploads} WHERE number >= ${from} AND number < ${numberAt(createdAt + 1)})`;
}

/** The least number of an upload made at or after `at`. It is bound as text, because D1 binds JavaScript numbers as REAL. */
export function numberAt(at: number): SQL {
  const number = BigInt(at) << 20n;
  return sql`CAST(${String(number < 0n ? 0n : number > MAX_NUMBER ? MAX_NUMBER : number)} AS INTEGER)`;
}

export async function findUpload(db: Library, accountId: string, uploadId: string): Promise<Upload | undefined> {
  return db
    .select(uploadColumns)
    .from(uploads)
    .where(and(eq(uploads.accountId, accountId), eq(uploads.id, uploadId)))
    .get();
}

/** The upload with the client's id. @returns its id; undefined if there is none */
export async function findByExternalId(
  db: Library,
  accountId: string,
  externalId: string,
): Promise<string | undefined> {
  const own = and(eq(uploads.accountId, accountId), eq(uploads.externalId, externalId));
  return (await db.select({ id: uploads.id }).from(uploads).where(own).get())?.id;
}

/** More equal files are of no use: each of them would do. */
const MAX_SAME_BYTES = 50;

/** The bytes and the visibility that two equal uploads have in common. */
export interface SameBytes extends Pick<Upload, "visibility"> {
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * The oldest active uploads of this visibility with these bytes, as stored or as uploaded. If the library moves, its new shard is
 * read: an empty result of the former shard proves nothing.
 */
export async function findSameBytes(
  db: Library,
  accountId: string,
  { sha256, visibility }: SameBytes,
): Promise<Upload[]> {
  const byHash = (column: typeof uploads.sha256 | typeof uploads.uploadedSha256) =>
    db
      .select(uploadColumns)
      .from(uploads)
      .where(
        and(
          eq(uploads.accountId, accountId),
          eq(column, sha256),
          eq(uploads.visibility, visibility),
          eq(uploads.status, "active"),
          isNull(uploads.takedown),
        ),
      )
      .orderBy(uploads.number)
      .limit(MAX_SAME_BYTES);
  const state = db.select({ state: libraries.state }).from(libraries).where(eq(libraries.id, accountId));
  const [stored, uploaded, [library]] = await db.idempotent(() =>
    db.batch([byHash(uploads.sha256), byHash(uploads.uploadedSha256), state]),
  );
  // The other shard gets uploads as soon as the object knows of the move, and this one learns it later.
  const mayHaveMoved = library !== undefined && library.state !== "here";
  if (mayHaveMoved && (await db.follow())) return findSameBytes(db, accountId, { sha256, visibility });
  return [...stored, ...uploaded].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Finds an account's uploads by ids, in no order; unknown ids are skipped. */
export async function findUploads(db: Library, accountId: string, ids: readonly string[]): Promise<Upload[]> {
  return db.select(uploadColumns).from(uploads).where(ownIds(accountId, ids)).all();
}

/** The original names of an account's uploads, by id; unknown ids are skipped. */
export async function findFilenames(
  db: Library,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, originalFilename } = uploads;
  const rows = await db.select({ id, originalFilename }).from(uploads).where(ownIds(accountId, ids)).all();
  return new Map(rows.map((row) => [row.id, row.originalFilename]));
}

/**
 * Distinguishes "unknown" from "another account's" in the shard in which the upload was made. This is the only query across accounts. An
 * upload that its account deleted is unknown, even if its row remains in a shard that the library has left.
 */
export async function isForeignUpload(db: Library, accountId: string, uploadId: string): Promise<boolean> {
  return (await findForeignUploads(db, accountId, [uploadId])).length > 0;
}

/** The uploads, all made in this shard, that belong to another account. */
export async function findForeignUploads(
  db: Library,
  accountId: string,
  uploadIds: readonly string[],
): Promise<string[]> {
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(uploadIds)}))`;
  const others = (table: typeof uploads | typeof movedUploads) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(inArray(table.id, wanted), sql`+${table.accountId} <> ${accountId}`));
  const here = others(uploads);
  const moved = others(movedUploads);
  return (await here.unionAll(moved).all()).map(({ id }) => id);
}

/** Copies the time of an upload's deletion into its row. */
export async function recordExpiry(
  db: Library,
  { accountId, id }: Pick<Upload, "accountId" | "id">,
  expiresAt: number | null,
): Promise<void> {
  const own = and(eq(uploads.accountId, accountId), eq(uploads.id, id));
  await db.idempotent(() => db.update(uploads).set({ expiresAt }).where(own).run());
}

/** Moves uploads from one status to the other. @returns the number that really changed */
export async function updateStatus(
  db: Library,
  accountId: string,
  ids: readonly string[],
  { from, to, within }: { readonly from: UploadStatus; readonly to: UploadStatus } & Pick<DueChange, "within">,
  { by, at }: ChangedBy,
): Promise<number> {
  const isDue = eq(uploads.status, from);
  const entries: DueEntry[] = [{ change: [to === "trash" ? "trashed" : "restored", at, by] }];
  const moved = await changeUploads(db, accountId, ids, { set: { status: to }, isDue, within, entries });
  return moved ?? 0;
}

export async function deleteUpload(db: Library, accountId: string, uploadId: string): Promise<void> {
  await deleteUploads(db, accountId, [uploadId]);
}

/**
 * Deletes an upload if it is in the trash. The deletion names the history that was read, and every change of the status adds to the history. So a
 * deletion that arrives late does not delete a file that was restored and trashed again since.
 * @returns false if the upload is not in the trash; true if it is deleted, also by an earlier try
 */
export async function deleteTrashedUpload(db: Library, accountId: string, uploadId: string): Promise<boolean> {
  // A pass fails only if another change of the upload came between both steps. Without a row, the deletion only checks that the library has not
  // left the shard.
  for (;;) {
    const { status, history } = uploads;
    const row = await db
      .select({ status, history })
      .from(uploads)
      .where(ownIds(accountId, [uploadId]))
      .get();
    if (row !== undefined && row.status !== "trash") return false;
    const isAsRead = row && and(eq(status, "trash"), row.history === null ? isNull(history) : eq(history, row.history));
    if ((await deleteUploads(db, accountId, [uploadId], isAsRead)) || row === undefined) return true;
  }
}

/**
 * Deletes uploads in the library's current shard. A shard that the library has left still accepts deletions of its old rows, so a deletion
 * that arrives there late must not count as this one.
 * @param isDue only uploads for which this is true
 * @returns whether any was deleted
 */
export async function deleteUploads(
  db: Library,
  accountId: string,
  ids: readonly string[],
  isDue?: SQL,
): Promise<boolean> {
  const left = db
    .select({ id: libraries.id })
    .from(libraries)
    .where(and(eq(libraries.id, accountId), eq(libraries.state, "left")));
  return db.idempotent(async () => {
    const { meta } = await db
      .delete(uploads)
      .where(and(ownIds(accountId, ids), isDue, notExists(left)))
      .run();
    if (meta.changes === 0 && (await findLibraryState(db, accountId)) === "left") throw new LibraryMovedError(true);
    return meta.changes > 0;
  });
}

/**
 * Deletes the kept id of an upload that was made in this shard and deleted in its library's new shard. An old row that remains here is
 * deleted, too; otherwise `deleteSomeLeft` would keep its id.
 */
export async function deleteMovedUpload(db: Library, accountId: string, uploadId: string): Promise<void> {
  const moved = and(eq(movedUploads.id, uploadId), eq(movedUploads.accountId, accountId));
  await db.idempotent(() =>
    db.batch([db.delete(uploads).where(ownIds(accountId, [uploadId])), db.delete(movedUploads).where(moved)]),
  );
}
