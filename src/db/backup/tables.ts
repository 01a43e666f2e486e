/**
 * The tables of a SQLite database as its schema describes them, so that a backup forgets no table and no column. D1 and the storage of a
 * Durable Object are read alike.
 */

/** Runs a statement. Values are bound to `?1`, `?2`, ... */
export type RunSql = (sql: string, ...values: string[]) => Promise<Record<string, unknown>[]>;

/** A foreign key of one column. */
export interface Reference {
  readonly column: string;
  readonly isNullable: boolean;
  readonly table: string;
  /** The referenced column. */
  readonly to: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The primary key; `rowid` for a table without one. */
  readonly key: readonly string[];
  readonly references: readonly Reference[];
}

/** The runtime's own tables, and D1's record of migrations, which a migration of the other database writes. */
const FOREIGN = /^(sqlite_|_cf_|__miniflare_|d1_migrations$)/;

/** Every table but virtual ones and their shadows. A table comes after the tables that it refers to. */
export async function listTables(run: RunSql): Promise<Table[]> {
  const rows = await run("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name");
  const names = rows.map(({ name }) => String(name)).filter((name) => !FOREIGN.test(name));
  const tables = new Map<string, Table>();
  for (const name of names) tables.set(name, await readTable(run, name));
  return sortByReferences(tables);
}

/** @returns undefined if there is no such table */
export async function findTable(run: RunSql, name: string): Promise<Table | undefined> {
  const [found] = FOREIGN.test(name)
    ? []
    : await run("SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name = ?1", name);
  return found && readTable(run, name);
}

async function readTable(run: RunSql, name: string): Promise<Table> {
  const columns = await run('SELECT name, pk, "notnull" AS filled FROM pragma_table_info(?1) ORDER BY cid', name);
  const keys = await run(
    'SELECT "from" AS own, "table" AS other, "to" AS target FROM pragma_foreign_key_list(?1) WHERE seq = 0',
    name,
  );
  const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  const names = columns.map((column) => String(column.name));
  const filled = new Set(columns.filter((column) => Number(column.filled) === 1).map((column) => String(column.name)));
  return {
    name,
    columns: key.length === 0 ? ["rowid", ...names] : names,
    key: key.length === 0 ? ["rowid"] : key.map((column) => String(column.name)),
    references: keys.map(({ own, other, target }) => ({
      column: String(own),
      isNullable: !filled.has(String(own)),
      table: String(other),
      to: String(target),
    })),
  };
}

function sortByReferences(tables: ReadonlyMap<string, Table>): Table[] {
  const sorted = new Set<Table>();
  const add = (table: Table, path: readonly string[]) => {
    for (const { table: name } of table.references) {
      const other = tables.get(name);
      if (other !== undefined && !path.includes(name)) add(other, [...path, name]);
    }
    sorted.add(table);
  };
  for (const table of tables.values()) add(table, [table.name]);
  return [...sorted];
}

/** A name in SQL. Names come from a schema, never from a request. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
