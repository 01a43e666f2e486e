import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { UPLOAD_STATUSES, type UploadStatus } from "../../domain/upload-status.ts";
import type { Library } from "./library.ts";
import { type Upload, uploads } from "./schema.ts";
import { uploadColumns } from "./uploads.ts";

/** A position between two uploads in the order of a walk. The number is a text, because JavaScript's numbers are not exact enough. */
export interface UploadPlace {
  readonly status: UploadStatus;
  readonly number: string;
}

export interface UploadWithHistory extends Upload {
  /** The kept changes as JSON text. */
  readonly history: string | null;
}

/** The position before the first upload. */
export const FIRST_PLACE: UploadPlace = { status: UPLOAD_STATUSES[0], number: "-1" };

/**
 * Returns some of an account's uploads: one status after the other, each from the oldest. The cost of a step does not grow with its depth,
 * and nothing is sorted.
 * @returns `next` is undefined at the end
 */
export async function walkUploads(
  db: Library,
  accountId: string,
  after: UploadPlace,
  limit: number,
): Promise<{ readonly uploads: UploadWithHistory[]; readonly next: UploadPlace | undefined }> {
  const { number, history } = getTableColumns(uploads);
  const rows = await db
    .select({ ...uploadColumns, history, place: sql<string>`CAST(${number} AS TEXT)` })
    .from(uploads)
    .where(
      and(
        eq(uploads.accountId, accountId),
        eq(uploads.status, after.status),
        sql`${number} > CAST(${after.number} AS INTEGER)`,
      ),
    )
    .orderBy(number)
    .limit(limit)
    .all();
  const last = rows.at(-1);
  const status = UPLOAD_STATUSES[UPLOAD_STATUSES.indexOf(after.status) + 1];
  const isFull = rows.length === limit && last !== undefined;
  return {
    uploads: rows.map(({ place: _, ...upload }) => upload),
    next: isFull ? { status: after.status, number: last.place } : status && { status, number: FIRST_PLACE.number },
  };
}
