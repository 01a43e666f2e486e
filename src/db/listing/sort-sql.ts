import { type SQL, sql } from "drizzle-orm";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { Sort, Sorting, SortPosition } from "./sorting.ts";
import { uploadsIn, type WalkPlace } from "./walk-sql.ts";

/** The column of each order. The account's index of the same name ends with the upload's number. */
const COLUMNS: Readonly<Record<Sort, { readonly column: string; readonly index: string } | undefined>> = {
  createdAt: undefined,
  name: { column: "original_filename", index: "uploads_by_name" },
  size: { column: "size_bytes", index: "uploads_by_size" },
  takenAt: { column: "taken_at", index: "uploads_by_time" },
};

/** The value by which an upload is sorted; null for the order of creation, which the number alone decides. */
export function keySql(alias: string, { by }: Sorting): SQL {
  const found = COLUMNS[by];
  return found === undefined ? sql`NULL` : sql.raw(`${alias}.${found.column}`);
}

/** `ORDER BY` for rows with a key and a number. */
export function orderSql(key: SQL, number: SQL, { by, order }: Sorting): SQL {
  const direction = sql.raw(order);
  if (by === "createdAt") return sql`${number} ${direction}`;
  const nulls = by === "takenAt" ? sql`${key} IS NULL, ` : sql``;
  return sql`${nulls}${key}${collation(by)} ${direction}, ${number} ${direction}`;
}

/** The condition that a row comes after a position. */
export function isAfter(key: SQL, number: SQL, sorting: Sorting, after: SortPosition | undefined): SQL {
  if (after === undefined) return sql`1`;
  const [last, lastNumber] = after;
  const beyond = sql.raw(sorting.order === "asc" ? ">" : "<");
  const isLater = sql`${number} ${beyond} CAST(${lastNumber} AS INTEGER)`;
  if (sorting.by === "createdAt") return isLater;
  if (last === null) return sql`(${key} IS NULL AND ${isLater})`;
  const value = sql`${last}${collation(sorting.by)}`;
  const nulls = sorting.by === "takenAt" ? sql`${key} IS NULL OR ` : sql``;
  return sql`(${nulls}${key} ${beyond} ${value} OR (${key} = ${value} AND ${isLater}))`;
}

function collation(by: Sort): SQL {
  return by === "name" ? sql` COLLATE NOCASE` : sql``;
}

/** The place and the statuses of a listing. */
interface Scope extends WalkPlace {
  readonly statuses: readonly UploadStatus[];
}

/**
 * Ranges of an index that follow each other and make up the order after a position. Uploads with equal values are a range of their own, so
 * a cursor among a million of them costs nothing. By name, size and time the index is the account's; by creation it is the place's.
 */
export function indexRanges(scope: Scope, sorting: Sorting, after: SortPosition | undefined): readonly SQL[] {
  const { by, order } = sorting;
  const found = COLUMNS[by];
  if (found === undefined) return [creationRange(scope, sorting, after)];
  const [beyond, direction] = [sql.raw(order === "asc" ? ">" : "<"), sql.raw(order)];
  const key = keySql("u", sorting);
  const range = (condition: SQL) => sql`
    SELECT u.number AS listed, ${key} AS key FROM uploads AS u INDEXED BY ${sql.raw(found.index)}
    WHERE u.account_id = ${scope.accountId} ${condition}
    ORDER BY ${key}${collation(by)} ${direction}, u.number ${direction}`;
  const known = by === "takenAt" ? sql`AND ${key} IS NOT NULL` : sql``;
  const unknown = (condition: SQL) => (by === "takenAt" ? [range(sql`AND ${key} IS NULL ${condition}`)] : []);
  if (after === undefined) return [range(known), ...unknown(sql``)];
  const [last, number] = after;
  const isLater = sql`AND u.number ${beyond} CAST(${number} AS INTEGER)`;
  if (last === null) return unknown(isLater);
  const value = sql`${last}${collation(by)}`;
  return [range(sql`AND ${key} = ${value} ${isLater}`), range(sql`AND ${key} ${beyond} ${value}`), ...unknown(sql``)];
}

function creationRange({ statuses, ...place }: Scope, { order }: Sorting, after: SortPosition | undefined): SQL {
  const beyond = sql.raw(order === "asc" ? ">" : "<");
  const index = sql.raw(place.folderId === undefined ? "uploads_by_status" : "uploads_by_folder");
  const isLater = after === undefined ? sql`` : sql`AND u.number ${beyond} CAST(${after[1]} AS INTEGER)`;
  const arms = statuses.map(
    (status) => sql`
      SELECT u.number AS listed, NULL AS key FROM uploads AS u INDEXED BY ${index}
      WHERE ${uploadsIn(place)} AND u.status = ${status} ${isLater}`,
  );
  return sql`${sql.join(arms, sql` UNION ALL `)} ORDER BY listed ${sql.raw(order)}`;
}
