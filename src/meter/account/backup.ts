import { type Row, type RowPage, readRows, writeStatements } from "../../db/backup/rows.ts";
import { findTable, listTables, type RunSql } from "../../db/backup/tables.ts";
import { EARLIER_WEBHOOK, makeEarlierTable } from "../events/webhook-store.ts";
import type { MeterContext } from "./context.ts";

/**
 * Tables that a backup leaves out. Sessions and upload tokens end with the old installation's JWT_SECRET, unfinished uploads have parts in R2 that cannot be
 * read, and the requests that hold leases and claims have ended. The backup has every other table of the object, by its schema.
 */
export const LEFT_OUT: readonly string[] = [
  "sessions",
  "upload_tokens",
  "request_claims",
  "leases",
  "byte_claims",
  "resumables",
  "resumable_parts",
  "resumable_tails",
];

/**
 * Changes that cannot be finished in another installation. After a move or a registration the directory describes the account, and an
 * upload in pieces has lost its pieces.
 */
const DROPPED_INTENTS =
  "DELETE FROM intents WHERE kind IN ('move', 'register') OR json_extract(payload, '$.isResumable') IS NOT NULL";

/** A page of an account's object. */
export interface AccountPage extends RowPage {
  readonly table: string;
}

/**
 * Reads a page of an account's tables, one table after the other.
 * @param after `next` of the page before
 * @returns undefined if the object has no such account
 */
export async function readAccount(context: MeterContext, after: string | undefined): Promise<AccountPage | undefined> {
  if (!(await context.load())) return undefined;
  const run = runnerOf(context);
  const tables = (await listTables(run)).filter(({ name }) => !LEFT_OUT.includes(name));
  const [name, position] = after === undefined ? [] : (JSON.parse(after) as [string, string | null]);
  const index = Math.max(
    0,
    tables.findIndex((table) => table.name === name),
  );
  const table = tables[index];
  if (table === undefined) return undefined;
  const page = await readRows(run, table, position ?? undefined);
  const following = page.next === null ? tables[index + 1]?.name : table.name;
  return { ...page, table: table.name, next: following === undefined ? null : JSON.stringify([following, page.next]) };
}

export interface RestoredPage {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export type RestoreOutcome = { readonly outcome: "written" } | { readonly outcome: "unknown"; readonly name: string };

/**
 * Writes pages of a backup into the account's object.
 * @param isFirst whether the object is emptied first
 * @param isLast whether these are the last pages: open changes are then finished or undone by the alarm, as after a crash
 * @returns `unknown` for a table or column that this version does not have
 */
export async function restoreAccount(
  context: MeterContext,
  pages: readonly RestoredPage[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): Promise<RestoreOutcome> {
  const { tables, storage } = context;
  if (isFirst) await tables.forget();
  const run = runnerOf(context);
  for (const { table: name, columns, rows } of pages) {
    if (LEFT_OUT.includes(name)) continue;
    // A backup of an earlier version. The table is replaced when the object opens its tables.
    if (name === EARLIER_WEBHOOK) makeEarlierTable(storage.sql);
    const table = await findTable(run, name);
    const unknown = table === undefined ? name : columns.find((column) => !table.columns.includes(column));
    if (table === undefined || unknown !== undefined) return { outcome: "unknown", name: `${name}.${unknown}` };
    storage.sql.exec(writeStatements(table, { columns, rows, withoutParents: false }).insert, JSON.stringify(rows));
  }
  if (isLast) {
    storage.sql.exec(DROPPED_INTENTS);
    tables.reopen();
    tables.alarm.bringForward(Date.now() + context.timeoutMs());
  }
  return { outcome: "written" };
}

function runnerOf({ storage }: MeterContext): RunSql {
  return async (sql, ...values) => storage.sql.exec(sql, ...values).toArray();
}
