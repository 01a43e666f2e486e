import { and, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { Db } from "../client.ts";
import { type Upload, uploads } from "../schema.ts";

/** Which of an account's uploads a listing shows. */
export interface UploadFilter {
  readonly status: UploadStatus | "all";
  /** A folder's id, null for Root, undefined for every folder. */
  readonly folderId: string | null | undefined;
}

/** Inserts the uploads of one request, all or none. */
export async function insertUploads(db: Db, rows: readonly Upload[]): Promise<void> {
  const [first, ...rest] = rows.map((row): BatchItem<"sqlite"> => db.insert(uploads).values(row));
  if (first !== undefined) await db.batch([first, ...rest]);
}

export async function findUpload(db: Db, accountId: string, uploadId: string): Promise<Upload | undefined> {
  return db
    .select()
    .from(uploads)
    .where(and(eq(uploads.accountId, accountId), eq(uploads.id, uploadId)))
    .get();
}

/** Tells "unknown" from "another account's": the only question asked across accounts. */
export async function uploadExists(db: Db, uploadId: string): Promise<boolean> {
  return (await db.select({ id: uploads.id }).from(uploads).where(eq(uploads.id, uploadId)).get()) !== undefined;
}

/** One page, newest first, and the number of all that match: one round trip, one snapshot. */
export async function listUploads(
  db: Db,
  accountId: string,
  filter: UploadFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: Upload[]; total: number }> {
  const matches = and(
    eq(uploads.accountId, accountId),
    filter.status === "all" ? undefined : eq(uploads.status, filter.status),
    filter.folderId === undefined
      ? undefined
      : filter.folderId === null
        ? isNull(uploads.folderId)
        : eq(uploads.folderId, filter.folderId),
  );
  const [rows, totals] = await db.batch([
    db.select().from(uploads).where(matches).orderBy(desc(uploads.id)).limit(page.limit).offset(page.offset),
    db.select({ total: count() }).from(uploads).where(matches),
  ]);
  return { rows, total: totals[0]?.total ?? 0 };
}

/** Moves uploads from one status to the other. @returns how many really changed */
export async function updateStatus(
  db: Db,
  accountId: string,
  ids: readonly string[],
  change: { readonly from: UploadStatus; readonly to: UploadStatus },
): Promise<number> {
  const { meta } = await db
    .update(uploads)
    .set({ status: change.to })
    .where(
      and(
        eq(uploads.accountId, accountId),
        eq(uploads.status, change.from),
        // One bound value however many ids: D1 takes at most 100.
        inArray(uploads.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`),
      ),
    );
  return meta.changes;
}

export async function deleteUpload(db: Db, accountId: string, uploadId: string): Promise<void> {
  await deleteUploads(db, accountId, [uploadId]);
}

export async function deleteUploads(db: Db, accountId: string, ids: readonly string[]): Promise<void> {
  await db
    .delete(uploads)
    .where(
      and(
        eq(uploads.accountId, accountId),
        inArray(uploads.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`),
      ),
    );
}
