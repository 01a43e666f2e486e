import { type SQL, sql } from "drizzle-orm";
import type { Library } from "../library.ts";

const TABLES = ["upload_tags", "folder_tags"] as const;
type TagTable = (typeof TABLES)[number];

/** Entries that one statement checks. */
const STEP_ENTRIES = 10_000;

const COLUMNS: Readonly<Record<TagTable, readonly string[]>> = {
  upload_tags: ["status", "tag", "number"],
  folder_tags: ["folder_id", "status", "tag", "number"],
};

type Entry = Readonly<Record<string, string>>;

export interface StrayTag {
  readonly table: TagTable;
  readonly entry: Entry;
}

/** Finds an account's entries in the tag tables that no upload has. It walks along each table's order in bounded steps. */
export async function* findStrayTags(db: Library, accountId: string): AsyncGenerator<StrayTag> {
  for (const table of TABLES) {
    let after: Entry | undefined;
    do {
      const page: SQL = pageOf(table, accountId, after);
      const names = sql.raw(
        COLUMNS[table].map((name) => (name === "number" ? "CAST(number AS TEXT) AS number" : name)).join(),
      );
      const [strays, ends]: [Entry[], Entry[]] = [
        await db.all<Entry>(sql`SELECT ${names} FROM (${page}) AS entry WHERE NOT ${isUsed(table)}`),
        await db.all<Entry>(sql`SELECT ${names} FROM (${page}) AS entry LIMIT 1 OFFSET ${STEP_ENTRIES - 1}`),
      ];
      for (const entry of strays) yield { table, entry };
      after = ends[0];
    } while (after !== undefined);
  }
}

/** Removes the entry unless an upload has the tag now. */
export async function removeStrayTag(db: Library, accountId: string, { table, entry }: StrayTag): Promise<void> {
  const key = sql.join(
    COLUMNS[table].map((name) => sql`${sql.raw(`entry.${name}`)} = ${bound(name, entry)}`),
    sql` AND `,
  );
  await db.idempotent(() =>
    db.run(
      sql`DELETE FROM ${sql.raw(table)} AS entry WHERE account_id = ${accountId} AND ${key} AND NOT ${isUsed(table)}`,
    ),
  );
}

function pageOf(table: TagTable, accountId: string, after: Entry | undefined): SQL {
  const columns = sql.raw(COLUMNS[table].join());
  const values =
    after &&
    sql.join(
      COLUMNS[table].map((name) => bound(name, after)),
      sql`, `,
    );
  const rest = values === undefined ? sql`` : sql`AND (${columns}) > (${values})`;
  return sql`SELECT account_id, ${columns} FROM ${sql.raw(table)} WHERE account_id = ${accountId} ${rest} ORDER BY ${columns} LIMIT ${STEP_ENTRIES}`;
}

function bound(name: string, entry: Entry): SQL {
  return name === "number" ? sql`CAST(${entry[name]} AS INTEGER)` : sql`${entry[name]}`;
}

function isUsed(table: TagTable): SQL {
  const folder = table === "folder_tags" ? sql`AND ifnull(upload.folder_id, '') = entry.folder_id` : sql``;
  return sql`EXISTS (
    SELECT 1 FROM uploads AS upload, json_each(upload.tags) AS tag
    WHERE upload.number = entry.number AND upload.account_id = entry.account_id AND upload.status = entry.status
      AND tag.value = entry.tag ${folder}
  )`;
}
