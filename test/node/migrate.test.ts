import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Migration, migrate } from "../../src/db/migrate.ts";
import { readMigrations } from "../support/stack/read-migrations.ts";

const DATABASES = ["NEW", "TWICE", "TOGETHER", "BROKEN", "LOST", "NEWER", "OLD"];

let miniflare: Miniflare;
let all: Migration[];

beforeAll(async () => {
  const later = { name: "9999_later.sql", sql: "ALTER TABLE libraries ADD note TEXT" };
  all = [...(await readMigrations("library")), later];
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      workers: [{ name: "none", modules: true, script: "export default {}", d1Databases: DATABASES }],
    }),
  );
});

afterAll(() => miniflare?.dispose());

async function tablesOf(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name")
    .all<{ name: string }>();
  return results.map(({ name }) => name);
}

async function notesOf(database: D1Database): Promise<string[]> {
  const { results } = await database.prepare("SELECT name FROM d1_migrations ORDER BY id").all<{ name: string }>();
  return results.map(({ name }) => name);
}

const names = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);

describe("schema of a database", () => {
  it("A schema is made by all migrations in order, each recorded", async () => {
    const database = await miniflare.getD1Database("NEW");
    expect(await migrate(database, all)).toEqual(names(all));
    expect(await notesOf(database)).toEqual(names(all));
    expect(await tablesOf(database)).toEqual(expect.arrayContaining(["libraries", "uploads", "folders"]));
  });

  it("An older schema gets only its missing migrations", async () => {
    const database = await miniflare.getD1Database("TWICE");
    expect(await migrate(database, all.slice(0, -1))).toEqual(names(all.slice(0, -1)));
    expect(await migrate(database, all)).toEqual(names(all.slice(-1)));
    expect(await migrate(database, all)).toEqual([]);
    expect(await notesOf(database)).toEqual(names(all));
  });

  it("Concurrent calls change a schema once", async () => {
    const database = await miniflare.getD1Database("TOGETHER");
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database, all)));
    expect(applied.flat().sort()).toEqual(names(all));
    expect(await notesOf(database)).toEqual(names(all));
  });

  it("A migration that fails in the middle leaves no trace, and earlier migrations stay applied", async () => {
    const database = await miniflare.getD1Database("BROKEN");
    const first = { name: "1.sql", sql: "CREATE TABLE first (id TEXT)" };
    const broken = {
      name: "2.sql",
      sql: "CREATE TABLE second (id TEXT);\n--> statement-breakpoint\nINSERT INTO nowhere VALUES (1)",
    };
    await expect(migrate(database, [first, broken])).rejects.toThrow(/nowhere/);
    expect(await tablesOf(database)).toEqual(["d1_migrations", "first", "sqlite_sequence"]);
    expect(await notesOf(database)).toEqual(["1.sql"]);
    const mended = { ...broken, sql: broken.sql.replace("nowhere", "second") };
    expect(await migrate(database, [first, mended])).toEqual(["2.sql"]);
  });

  it("A migration resumes after the answer to an applied migration was lost", async () => {
    const database = await miniflare.getD1Database("LOST");
    let hasFailed = false;
    const losing = new Proxy(database, {
      get: (target, property) => {
        if (property === "prepare") return target.prepare.bind(target);
        return async (statements: D1PreparedStatement[]) => {
          await target.batch(statements);
          if (!hasFailed) {
            hasFailed = true;
            throw new Error("D1_ERROR: Network connection lost.");
          }
        };
      },
    });
    await expect(migrate(losing, all)).rejects.toThrow(/lost/);
    expect(await migrate(losing, all)).toEqual(names(all.slice(1)));
    expect(await notesOf(database)).toEqual(names(all));
  });

  it("A schema of another version is refused and left as it is", async () => {
    const database = await miniflare.getD1Database("NEWER");
    await migrate(database, all);
    await expect(migrate(database, all.slice(0, -1))).rejects.toThrow(/not known: 9999_later.sql/);
    expect(await notesOf(database)).toEqual(names(all));
  });

  it("A schema that wrangler has updated needs nothing", async () => {
    const database = await miniflare.getD1Database("OLD");
    // The table that `wrangler d1 migrations apply` creates.
    await database
      .prepare(
        "CREATE TABLE IF NOT EXISTS d1_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
      )
      .run();
    for (const name of names(all)) {
      await database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name).run();
    }
    expect(await migrate(database, all)).toEqual([]);
  });
});
