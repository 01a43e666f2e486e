import { readdir, readFile } from "node:fs/promises";
import type { Migration } from "../../../src/db/migrate.ts";

/** All migrations of one kind of database, for programs that do not import SQL. */
export async function readMigrations(kind: "directory" | "library"): Promise<Migration[]> {
  const folder = `migrations/${kind}`;
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(`${folder}/${name}`, "utf8") })));
}
