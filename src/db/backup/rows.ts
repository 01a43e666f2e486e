import { quote, type RunSql, type Table } from "./tables.ts";

/**
 * A row as texts, one for each column: `i`, `r`, `t` or `x` (hexadecimal) and the value, or null. JavaScript's numbers are not exact
 * enough, and JSON has no bytes.
 */
export type Row = readonly (string | null)[];

export interface RowPage {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The position of the next page; null after the last one. */
  readonly next: string | null;
}

const PAGE_ROWS = 200;
/** A page ends after this many characters. It has at least one row. */
const PAGE_CHARACTERS = 64_000;

/** Reads a page in the order of the key. @param after `next` of the page before */
export async function readRows(
  run: RunSql,
  { name, columns, key }: Table,
  after: string | undefined,
): Promise<RowPage> {
  const from = after === undefined ? [] : (JSON.parse(after) as string[]);
  const isAfter =
    from.length === 0 ? "" : `WHERE (${key.map(quote)}) > (${key.map((_, index) => decoded(`?${index + 1}`))})`;
  const list = columns.map((column, index) => `${encoded(quote(column))} AS c${index}`);
  const order = key.map(quote).join();
  const found = await run(
    `SELECT ${list} FROM ${quote(name)} ${isAfter} ORDER BY ${order} LIMIT ${PAGE_ROWS}`,
    ...from,
  );
  const rows: Row[] = [];
  let characters = 0;
  for (const each of found) {
    const row = Object.values(each) as Row;
    characters += row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (rows.length > 0 && characters > PAGE_CHARACTERS) break;
    rows.push(row);
  }
  const isLast = rows.length === found.length && found.length < PAGE_ROWS;
  const last = rows.at(-1);
  const next = isLast || last === undefined ? null : JSON.stringify(key.map((column) => last[columns.indexOf(column)]));
  return { columns, rows, next };
}

export interface RowsToWrite {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Rows whose parent is missing are written with null instead, if the schema allows null. */
  readonly withoutParents: boolean;
}

/**
 * The statements that write rows, some of which may exist already. A row that contradicts another one (a unique index) is left out.
 * @returns `waiting` selects the `key` of each row whose parent is missing; `insert` writes the others. Both bind the rows' JSON text
 */
export function writeStatements(
  { name, key, references }: Table,
  { columns, withoutParents }: RowsToWrite,
  condition = "true",
): { readonly waiting: string; readonly insert: string } {
  const valueIn = (column: string) => decoded(`(value ->> ${columns.indexOf(column)})`);
  const given = references.filter(({ column }) => columns.includes(column));
  const hasParent = (column: string, table: string, to: string) =>
    `EXISTS (SELECT 1 FROM ${quote(table)} AS parent WHERE parent.${quote(to)} = ${valueIn(column)})`;
  const guards = given
    .filter(({ isNullable }) => !(isNullable && withoutParents))
    .map(({ column, table, to }) => `(${valueIn(column)} IS NULL OR ${hasParent(column, table, to)})`);
  const guard = guards.length === 0 ? "true" : guards.join(" AND ");
  const dropped = new Map(
    given
      .filter(({ isNullable }) => isNullable && withoutParents)
      .map(({ column, table, to }) => [
        column,
        `CASE WHEN ${hasParent(column, table, to)} THEN ${valueIn(column)} END`,
      ]),
  );
  const values = columns.map((column) => dropped.get(column) ?? valueIn(column));
  const list = columns.map(quote);
  const into = `INTO ${quote(name)} (${list}) SELECT ${values} FROM json_each(?1) WHERE ${guard} AND (${condition})`;
  return {
    waiting: `SELECT key FROM json_each(?1) WHERE NOT (${guard})`,
    insert: `INSERT OR ${key[0] === "rowid" ? "REPLACE" : "IGNORE"} ${into}${onConflict(name, key, columns)}`,
  };
}

/** An equal row is not written: a trigger may refuse changes. */
function onConflict(name: string, key: readonly string[], columns: readonly string[]): string {
  if (key[0] === "rowid") return "";
  const others = columns.filter((column) => !key.includes(column)).map(quote);
  const target = ` ON CONFLICT (${key.map(quote)})`;
  if (others.length === 0) return `${target} DO NOTHING`;
  const change = others.map((column) => `${column} = excluded.${column}`);
  const differs = others.map((column) => `${quote(name)}.${column} IS NOT excluded.${column}`).join(" OR ");
  return `${target} DO UPDATE SET ${change} WHERE ${differs}`;
}

function encoded(value: string): string {
  return `CASE typeof(${value}) WHEN 'integer' THEN 'i' || ${value} WHEN 'real' THEN 'r' || printf('%!.17g', ${value})
    WHEN 'text' THEN 't' || ${value} WHEN 'blob' THEN 'x' || hex(${value}) END`;
}

/** SQL for the value of an encoded text. */
function decoded(text: string): string {
  return `CASE substr(${text}, 1, 1) WHEN 'i' THEN CAST(substr(${text}, 2) AS INTEGER) WHEN 'r' THEN CAST(substr(${text}, 2) AS REAL)
    WHEN 't' THEN substr(${text}, 2) WHEN 'x' THEN unhex(substr(${text}, 2)) END`;
}
