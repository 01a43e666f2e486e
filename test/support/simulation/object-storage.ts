import { deserialize, serialize } from "node:v8";
import type { OutputGate } from "./scheduler.ts";
import type { SqlDatabase } from "./sql.ts";

/**
 * The storage of one Durable Object, like workerd's: all writes since the last output are one transaction, and a reset rolls it back. Calls
 * answer at once. The alarm is stored with the rest.
 */
export class ObjectStorage implements OutputGate {
  readonly #database: SqlDatabase;
  readonly sql: { exec(query: string, ...values: unknown[]): Cursor; readonly databaseSize: number };
  readonly kv: {
    get(key: string): unknown;
    put(key: string, value: unknown): void;
    delete(key: string): boolean;
    list(): Iterable<[key: string, value: unknown]>;
  };
  version = 1;
  durableVersion = 1;
  #alarmAt: number | null = null;
  #durableAlarmAt: number | null = null;
  /** The alarm is neither set nor deleted while its handler runs. */
  #isAlarmRunning = false;
  #savepoints = 0;
  #inTransaction = false;

  /** @param database an empty one, or one that `empty` has emptied */
  constructor(database: SqlDatabase) {
    this.#database = database;
    const databaseSize = 0;
    this.sql = { exec: (query, ...values) => this.#exec(query, values), databaseSize };
    this.#exec("CREATE TABLE IF NOT EXISTS _cf_kv (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID", []);
    this.kv = {
      get: (key) => {
        const text = this.#exec<{ value: string }>("SELECT value FROM _cf_kv WHERE key = ?", [key]).toArray()[0]?.value;
        return text === undefined ? undefined : parse(text);
      },
      put: (key, value) => {
        this.#exec("INSERT OR REPLACE INTO _cf_kv (key, value) VALUES (?, ?)", [
          key,
          serialize(value).toString("base64"),
        ]);
      },
      delete: (key) => this.#exec("DELETE FROM _cf_kv WHERE key = ?", [key]).rowsWritten > 0,
      list: () =>
        this.#exec<{ key: string; value: string }>("SELECT key, value FROM _cf_kv ORDER BY key", [])
          .toArray()
          .map(({ key, value }) => [key, parse(value)]),
    };
    this.flush();
  }

  transactionSync<T>(work: () => T): T {
    this.#begin();
    const name = `s${++this.#savepoints}`;
    this.#database.script(`SAVEPOINT ${name}`);
    try {
      const result = work();
      this.#database.script(`RELEASE ${name}`);
      return result;
    } catch (error) {
      this.#database.script(`ROLLBACK TO ${name}`);
      throw error;
    } finally {
      this.#savepoints -= 1;
    }
  }

  async getAlarm(): Promise<number | null> {
    return this.#isAlarmRunning ? null : this.#alarmAt;
  }

  async setAlarm(at: number | Date): Promise<void> {
    this.#setAlarm(Number(at));
  }

  async deleteAlarm(): Promise<void> {
    this.#setAlarm(null);
  }

  /** Deletes the alarm, too, as with the compatibility date of wrangler.toml. */
  async deleteAll(): Promise<void> {
    this.#begin();
    emptyDatabase(this.#database);
    this.#setAlarm(null);
  }

  async sync(): Promise<void> {
    this.flush();
  }

  /** The due time of an alarm whose handler does not run; Infinity if there is none. */
  get alarmDueAt(): number {
    return this.#isAlarmRunning || this.#alarmAt === null ? Number.POSITIVE_INFINITY : this.#alarmAt;
  }

  beginAlarm(): void {
    this.#isAlarmRunning = true;
  }

  /** The alarm was handled and is deleted, unless it was set meanwhile. An alarm whose handler failed stays. */
  endAlarm({ succeeded }: { readonly succeeded: boolean }): void {
    if (this.#isAlarmRunning && succeeded) this.#setAlarm(null);
    this.#isAlarmRunning = false;
  }

  flush(): void {
    if (this.#inTransaction) this.#database.script("COMMIT");
    this.#inTransaction = false;
    this.#durableAlarmAt = this.#alarmAt;
    this.durableVersion = this.version;
  }

  /** Drops writes that were not durable, and the writes of the alarm's handler. */
  reset(): void {
    if (this.#inTransaction) this.#database.script("ROLLBACK");
    this.#inTransaction = false;
    this.#alarmAt = this.#durableAlarmAt;
    this.#isAlarmRunning = false;
    this.version = this.durableVersion;
  }

  /** Reads the storage for a check, from outside the object. */
  query<T>(query: string, ...values: unknown[]): T[] {
    return this.#database.run(query, values).rows as T[];
  }

  #setAlarm(at: number | null): void {
    this.#alarmAt = at;
    this.#isAlarmRunning = false;
    this.version += 1;
  }

  #begin(): void {
    if (!this.#inTransaction) this.#database.script("BEGIN");
    this.#inTransaction = true;
    this.version += 1;
  }

  #exec<Row = Record<string, unknown>>(query: string, values: readonly unknown[]): Cursor<Row> {
    if (values.length === 0 && /;\s*\S/.test(query)) {
      this.#begin();
      this.#database.script(query);
      return new Cursor<Row>([], 0);
    }
    if (!/^\s*select\b/i.test(query)) this.#begin();
    const { rows, changes } = this.#database.run(query, values);
    return new Cursor<Row>(rows as Row[], changes);
  }
}

/** What `exec` answers. */
export class Cursor<Row = Record<string, unknown>> {
  readonly #rows: readonly Row[];
  readonly rowsWritten: number;
  readonly rowsRead: number;

  constructor(rows: readonly Row[], rowsWritten: number) {
    this.#rows = rows;
    this.rowsWritten = rowsWritten;
    this.rowsRead = rows.length;
  }

  toArray(): Row[] {
    return [...this.#rows];
  }

  one(): Row {
    const [row] = this.#rows;
    if (row === undefined || this.#rows.length > 1) throw new Error(`Expected one row, there are ${this.#rows.length}`);
    return row;
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.#rows[Symbol.iterator]();
  }
}

function emptyDatabase(database: SqlDatabase): void {
  for (const type of ["view", "table"]) {
    const names = database.run(
      "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%' AND name <> '_cf_kv'",
      [type],
    );
    for (const { name } of names.rows) database.script(`DROP ${type} "${name}"`);
  }
  database.script("DELETE FROM _cf_kv");
}

/** Deletes all rows, so that the next schedule need not make the tables again. */
export function emptyTables(database: SqlDatabase): void {
  database.script("PRAGMA foreign_keys = OFF; BEGIN");
  const tables = database.run(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'upload_search%'",
    [],
  );
  // Empty these first: the triggers of uploads refuse writes while a library is leaving, and write into the counts.
  const first = ["libraries", "uploads"].filter((name) => tables.rows.some((row) => row.name === name));
  for (const name of [...first, ...tables.rows.map((row) => row.name)]) database.script(`DELETE FROM "${name}"`);
  database.script("COMMIT; PRAGMA foreign_keys = ON");
}

/** A key's value, which may be a Map. */
function parse(value: string): unknown {
  return deserialize(Buffer.from(value, "base64"));
}
