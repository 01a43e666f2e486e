import { readdir, readFile } from "node:fs/promises";
import type { Migration } from "../../../src/db/migrate.ts";

const FOLDER = "migrations";

/** All migrations there are, for programs that do not import SQL. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(`${FOLDER}/${name}`, "utf8") })));
}
