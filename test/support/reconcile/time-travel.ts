import { env } from "cloudflare:workers";
import { toGrams } from "../../../src/db/listing/search-grams.ts";
import { libraries } from "../api/databases.ts";

type Row = Record<string, string | number | null>;

interface Saved {
  readonly database: D1Database;
  readonly tables: readonly (readonly [string, Row[]])[];
}

/** The restored tables of a shard; triggers make the rest. Folders come before their content. */
const LIBRARY_TABLES = ["libraries", "folders", "uploads", "moved_uploads"];
const DIRECTORY_TABLES = ["accounts", "keys"];
const idOf = (table: string) => (table === "accounts" || table === "libraries" ? "id" : "account_id");

/**
 * D1's Time Travel for some accounts: restores all their rows of one moment, and deletes accounts that did not exist then. R2 and Durable
 * Objects stay as they are.
 */
export class Moment {
  readonly #saved: readonly Saved[];

  private constructor(saved: readonly Saved[]) {
    this.#saved = saved;
  }

  static async of(accountIds: readonly string[]): Promise<Moment> {
    const shards = libraries.shards.map((shard) => [libraries.bindingOf(shard), LIBRARY_TABLES] as const);
    const databases = [[env.DB, DIRECTORY_TABLES] as const, ...shards];
    return new Moment(
      await Promise.all(
        databases.map(async ([database, names]) => ({
          database,
          tables: await Promise.all(names.map(async (name) => [name, await read(database, name, accountIds)] as const)),
        })),
      ),
    );
  }

  /** @param accountIds of all accounts, including those opened since */
  async restore(accountIds: readonly string[]): Promise<void> {
    for (const { database, tables } of this.#saved) {
      const ids = JSON.stringify(accountIds);
      for (const [name] of tables.toReversed()) {
        const remove = `DELETE FROM ${name} WHERE ${idOf(name)} IN (SELECT value FROM json_each(?))`;
        await database.batch([database.prepare("PRAGMA defer_foreign_keys = ON"), database.prepare(remove).bind(ids)]);
      }
      for (const [name, rows] of tables) for (const row of rows) await insert(database, name, row);
    }
  }
}

async function read(database: D1Database, table: string, accountIds: readonly string[]): Promise<Row[]> {
  // Numbers are longer than JavaScript's.
  const columns = table === "uploads" ? "*, CAST(number AS TEXT) AS number" : "*";
  const query = `SELECT ${columns} FROM ${table} WHERE ${idOf(table)} IN (SELECT value FROM json_each(?))`;
  return (await database.prepare(query).bind(JSON.stringify(accountIds)).all<Row>()).results;
}

async function insert(database: D1Database, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  const values = names.map((name) => (name === "number" ? "CAST(? AS INTEGER)" : "?"));
  await database
    .prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${values.join()})`)
    .bind(...Object.values(row))
    .run();
  if (table !== "uploads") return;
  const { number, account_id, object_key, original_filename } = row;
  const grams = toGrams(String(account_id), String(object_key), String(original_filename));
  await database
    .prepare("INSERT INTO upload_search (rowid, grams) VALUES (CAST(? AS INTEGER), ?)")
    .bind(number, grams)
    .run();
}
