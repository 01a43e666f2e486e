import { and, eq, type SQL, sql } from "drizzle-orm";
import { type KeptChange, MAX_KEPT_CHANGES } from "../../domain/file-history.ts";
import type { Library } from "./library.ts";
import { folders, type Upload, uploads } from "./schema.ts";

/** A change that an upload's history keeps, if it really changes the upload. */
export interface DueEntry {
  readonly change: KeptChange;
  /** Whether the row, before it is changed, still needs the change; absent: it does. */
  readonly isDue?: SQL;
}

/** The kept changes of a row with further ones, for the statement that makes the changes: no other statement and no other row is written. */
export function withEntries(entries: readonly DueEntry[]): SQL<string> {
  const added = entries.map(
    ({ change, isDue = sql`true` }, index) =>
      sql`UNION ALL SELECT ${sql.raw(String(MAX_KEPT_CHANGES + index))}, ${JSON.stringify(change)} WHERE ${isDue}`,
  );
  return sql`(SELECT json_group_array(json(value) ORDER BY place) FROM (
    SELECT key AS place, value FROM json_each(ifnull(${uploads.history}, '[]')) ${sql.join(added, sql` `)}
    ORDER BY place DESC LIMIT ${sql.raw(String(MAX_KEPT_CHANGES))}
  ))`;
}

export interface FoundHistory extends Pick<Upload, "createdAt" | "uploadedBy"> {
  /** JSON text. */
  readonly history: string | null;
  /** The names of the folders that it names, by id; deleted folders are missing. */
  readonly folderNames: Readonly<Record<string, string>>;
}

/** The upload and the kept changes of a file, in one statement. @returns undefined if the account has no such upload */
export async function findHistory(db: Library, accountId: string, uploadId: string): Promise<FoundHistory | undefined> {
  const named = sql`SELECT value ->> 3 FROM json_each(${uploads.history})`;
  const row = await db
    .select({
      createdAt: uploads.createdAt,
      uploadedBy: uploads.uploadedBy,
      history: uploads.history,
      names: sql<string>`(SELECT json_group_object(id, name) FROM ${folders}
        WHERE ${folders.id} IN (${named}) AND +${folders.accountId} = ${accountId})`,
    })
    .from(uploads)
    .where(and(eq(uploads.id, uploadId), eq(uploads.accountId, accountId)))
    .get();
  if (row === undefined) return undefined;
  const { names, ...found } = row;
  return { ...found, folderNames: JSON.parse(names) as Record<string, string> };
}
