import type { BatchItem } from "drizzle-orm/batch";
import { NoopCache } from "drizzle-orm/cache/core";
import { D1PreparedQuery, SQLiteD1Session } from "drizzle-orm/d1/session";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { NoopLogger } from "drizzle-orm/logger";
import type { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { toConstraintError } from "./constraint-error.ts";
import { toLibraryMovedError } from "./library-moved-error.ts";
import { mayPass } from "./may-pass.ts";

type PrepareQuery = SQLiteD1Session<Record<string, never>, Record<string, never>>["prepareQuery"];

/** Runs something, and again where it fails in a way that may pass. */
export type Retry = <T>(attempt: () => Promise<T>, mayPass: (error: unknown) => boolean) => Promise<T>;

/** Drizzle's session for D1, which says what failed in our words (`explain`), and reads again where a read is lost. */
export class D1Session extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  readonly #database: D1Database;
  readonly #retry: Retry;

  constructor(database: D1Database, dialect: SQLiteAsyncDialect, retry: Retry) {
    super(database, dialect, undefined);
    this.#database = database;
    this.#retry = retry;
  }

  override prepareQuery(...[query, fields, method, inArrays, mapper, metadata, cache]: Parameters<PrepareQuery>) {
    const statement = this.#database.prepare(query.sql);
    const [logger, noCache] = [new NoopLogger(), new NoopCache()];
    const prepared = new ExplainedQuery(
      statement,
      query,
      logger,
      noCache,
      metadata,
      cache,
      fields,
      method,
      inArrays,
      mapper,
    );
    if (/^\s*select\b/i.test(query.sql)) prepared.retry = this.#retry;
    return prepared;
  }

  override batch<Items extends BatchItem<"sqlite">[] | readonly BatchItem<"sqlite">[]>(queries: Items) {
    return explained(() => super.batch(queries));
  }
}

class ExplainedQuery extends D1PreparedQuery {
  retry: Retry = (attempt) => attempt();

  override run(values?: Record<string, unknown>) {
    return this.#explained(() => super.run(values));
  }

  override all(values?: Record<string, unknown>) {
    return this.#explained(() => super.all(values));
  }

  override get(values?: Record<string, unknown>) {
    return this.#explained(() => super.get(values));
  }

  override values<T extends unknown[]>(values?: Record<string, unknown>) {
    return this.#explained(() => super.values<T>(values));
  }

  #explained<T>(run: () => Promise<T>): Promise<T> {
    return this.retry(() => explained(run), mayPass);
  }
}

/**
 * Errors name the statement but none of the values bound to it: they are logged, here and by the runtime where they leave
 * a Durable Object, and the values are password hashes and e-mail addresses among others.
 * @throws ConstraintError where the schema does not allow a write, LibraryMovedError
 */
async function explained<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : error;
    const known = toConstraintError(cause) ?? toLibraryMovedError(cause);
    if (known !== undefined) throw known;
    throw error instanceof DrizzleQueryError ? new Error(`Failed query: ${error.query}`, { cause }) : error;
  }
}
