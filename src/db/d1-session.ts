import { NoopCache } from "drizzle-orm/cache/core";
import { D1PreparedQuery, SQLiteD1Session } from "drizzle-orm/d1/session";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { NoopLogger } from "drizzle-orm/logger";
import type { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

type PrepareQuery = SQLiteD1Session<Record<string, never>, Record<string, never>>["prepareQuery"];

/**
 * Drizzle's session for D1, whose errors name the statement but none of the values bound to it: errors are logged, here and
 * by the runtime where they leave a Durable Object, and the values are password hashes and e-mail addresses among others.
 */
export class D1Session extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  readonly #database: D1Database;

  constructor(database: D1Database, dialect: SQLiteAsyncDialect) {
    super(database, dialect, undefined);
    this.#database = database;
  }

  override prepareQuery(...[query, fields, method, inArrays, mapper, metadata, cache]: Parameters<PrepareQuery>) {
    const statement = this.#database.prepare(query.sql);
    const [logger, noCache] = [new NoopLogger(), new NoopCache()];
    return new DiscreetQuery(statement, query, logger, noCache, metadata, cache, fields, method, inArrays, mapper);
  }
}

class DiscreetQuery extends D1PreparedQuery {
  override run(values?: Record<string, unknown>) {
    return discreetly(super.run(values));
  }

  override all(values?: Record<string, unknown>) {
    return discreetly(super.all(values));
  }

  override get(values?: Record<string, unknown>) {
    return discreetly(super.get(values));
  }

  override values<T extends unknown[]>(values?: Record<string, unknown>) {
    return discreetly(super.values<T>(values));
  }
}

async function discreetly<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof DrizzleQueryError)) throw error;
    throw new Error(`Failed query: ${error.query}`, { cause: error.cause });
  }
}
