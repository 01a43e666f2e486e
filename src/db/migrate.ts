import { toConstraintError } from "./constraint-error.ts";

/** drizzle-kit's separator of statements, so that this code need not parse SQL. */
const BREAKPOINT = "--> statement-breakpoint";

/** A step of the schema's history: a file in `migrations/`. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/**
 * Brings a database's schema up to date, through its binding. A migration and the record of it are one transaction, so a failed migration
 * leaves no change. Concurrent and later calls apply each migration once. The records are in wrangler's own table.
 * @returns the names of the migrations that this call applied
 * @throws UnknownMigrationsError for a database of another version, which is not changed
 * @throws Error if a statement fails; earlier migrations stay applied
 */
export async function migrate(database: D1Database, migrations: readonly Migration[]): Promise<string[]> {
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
         applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const known = await readApplied(database, migrations);
  const applied: string[] = [];
  for (const { name, sql } of migrations) {
    if (known.has(name)) continue;
    const note = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
    try {
      await database.batch([note, ...splitStatements(sql).map((statement) => database.prepare(statement))]);
      applied.push(name);
    } catch (error) {
      // Another call applied the migration first, or an answer was lost.
      if (toConstraintError(error)?.constraint !== "unique" || !(await isApplied(database, name))) throw error;
    }
  }
  return applied;
}

export function splitStatements(sql: string): string[] {
  return sql.split(BREAKPOINT);
}

/** The database has migrations that this version does not know: it belongs to a newer version or another branch. */
export class UnknownMigrationsError extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(`The database has migrations that are not known: ${names.join(", ")}`);
    this.name = "UnknownMigrationsError";
    this.names = names;
  }
}

/** @throws UnknownMigrationsError */
async function readApplied(database: D1Database, migrations: readonly Migration[]): Promise<ReadonlySet<string>> {
  const { results } = await database.prepare("SELECT name FROM d1_migrations ORDER BY id").all<{ name: string }>();
  const unknown = results.filter(({ name }) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) throw new UnknownMigrationsError(unknown.map(({ name }) => name));
  return new Set(results.map(({ name }) => name));
}

async function isApplied(database: D1Database, name: string): Promise<boolean> {
  return (await database.prepare("SELECT 1 FROM d1_migrations WHERE name = ?").bind(name).first()) !== null;
}
