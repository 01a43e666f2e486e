import type { RunSql } from "../../db/backup/tables.ts";
import { DERIVED_TABLES } from "../../db/library/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Services } from "../context.ts";

const DIRECTORY = "directory";
const LIBRARY = "library-";

/** A D1 database by its name in a backup. */
export interface Database {
  readonly kind: "directory" | "library";
  readonly binding: D1Database;
  readonly run: RunSql;
  /** Repeats work that may be repeated if the database fails for a moment. */
  idempotent<T>(work: () => Promise<T>): Promise<T>;
}

type Stores = Pick<Services, "directory" | "libraries">;

/** The names of all databases: a library comes before the directory, which makes accounts known. */
export function listDatabases({ libraries }: Stores): string[] {
  return [...libraries.shards.map((shard) => LIBRARY + shard), DIRECTORY];
}

/** @throws ServiceError 400 for an unknown name */
export function openDatabase({ directory, libraries }: Stores, name: string): Database {
  const shard = libraries.shards.find((each) => LIBRARY + each === name);
  if (name !== DIRECTORY && shard === undefined) throw ERRORS.InvalidRequest({ database: "Unknown" });
  const db = shard === undefined ? directory : libraries.open(shard);
  const binding = shard === undefined ? directory.binding : libraries.bindingOf(shard);
  const run: RunSql = async (sql, ...values) => {
    const { results } = await db.idempotent(() =>
      binding
        .prepare(sql)
        .bind(...values)
        .all<Record<string, unknown>>(),
    );
    return results;
  };
  return {
    kind: shard === undefined ? "directory" : "library",
    binding,
    run,
    idempotent: (work) => db.idempotent(work),
  };
}

/** Whether a backup carries the table: triggers fill the others. */
export function isCarried({ kind }: Database, table: string): boolean {
  return kind === "directory" || !DERIVED_TABLES.includes(table);
}
