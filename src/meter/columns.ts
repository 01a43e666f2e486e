/** In which column of its table each property of a row is stored. */
export type Columns<Row> = { readonly [Property in keyof Required<Row>]: string };

/** What `SELECT` is given for rows whose properties have the names of the code. */
export function selectList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([property, column]) => `${column} AS "${property}"`)
    .join();
}

/** Adds columns that came later to the table of an object that is older than they are. @param columns each with its type, by its name */
export function addLaterColumns(sql: SqlStorage, table: string, columns: Readonly<Record<string, string>>): void {
  const rows = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).toArray();
  const present = new Set(rows.map(({ name }) => name));
  for (const [name, type] of Object.entries(columns)) {
    if (!present.has(name)) sql.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
  }
}
