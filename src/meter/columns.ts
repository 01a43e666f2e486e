/** The column of each property of a row. */
export type Columns<Row> = { readonly [Property in keyof Required<Row>]: string };

/** The columns of a `SELECT`, each named like its property in the row. */
export function selectList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([property, column]) => `${column} AS "${property}"`)
    .join();
}

/** Adds the columns of later versions to the table of an older object. @param columns their types, by name */
export function addLaterColumns(sql: SqlStorage, table: string, columns: Readonly<Record<string, string>>): void {
  const rows = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).toArray();
  const present = new Set(rows.map(({ name }) => name));
  for (const [name, type] of Object.entries(columns)) {
    if (!present.has(name)) sql.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
  }
}
