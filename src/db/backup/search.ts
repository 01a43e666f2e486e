import { toGrams } from "../listing/search-grams.ts";
import type { Row } from "./rows.ts";

/** The statement that adds existing uploads to the name index, if they are not in it yet. */
export function searchStatement(
  database: D1Database,
  columns: readonly string[],
  rows: readonly Row[],
): D1PreparedStatement {
  const textOf = (row: Row, column: string) => row[columns.indexOf(column)]?.slice(1) ?? "";
  const entries = rows.map((row) => ({
    id: textOf(row, "id"),
    grams: toGrams(textOf(row, "account_id"), textOf(row, "object_key"), textOf(row, "original_filename")),
  }));
  return database
    .prepare(
      `INSERT INTO upload_search (rowid, grams) SELECT uploads.number, given.value ->> 'grams' FROM json_each(?1) AS given
       JOIN uploads ON uploads.id = given.value ->> 'id'
       WHERE NOT EXISTS (SELECT 1 FROM upload_search WHERE rowid = uploads.number)`,
    )
    .bind(JSON.stringify(entries));
}
