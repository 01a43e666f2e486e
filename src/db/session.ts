import type { BatchItem } from "drizzle-orm/batch";
import { NoopCache } from "drizzle-orm/cache/core";
import { DrizzleD1Database } from "drizzle-orm/d1";
import { D1PreparedQuery, SQLiteD1Session } from "drizzle-orm/d1/session";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { NoopLogger } from "drizzle-orm/logger";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { toConstraintError } from "./constraint-error.ts";
import { toLibraryMovedError } from "./library-moved-error.ts";

type PrepareQuery = SQLiteD1Session<Record<string, never>, Record<string, never>>["prepareQuery"];

/** Runs an attempt and repeats it after a failure that may pass. */
export type Retry = <T>(attempt: () => Promise<T>, mayPass: (error: unknown) => boolean) => Promise<T>;

/** Drizzle's session for D1. It translates errors (`explained`) and retries lost reads. */
class D1Session extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
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
 * Translates errors. They name the statement but none of its values, because errors are logged, here and by the runtime when they leave a
 * Durable Object, and values include password hashes and e-mail addresses.
 * @throws ConstraintError if the schema rejects a write, LibraryMovedError
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

/** A D1 database. Its subclasses are its two kinds: a statement for one kind does not compile for the other. */
export abstract class Db extends DrizzleD1Database {
  abstract readonly kind: "directory" | "library";
  /** The binding, for schema changes. */
  readonly binding: D1Database;
  readonly #retry: Retry;

  // Does the same as `drizzle()` with this session. Only relational queries would need a schema.
  constructor(binding: D1Database, retry: Retry) {
    const dialect = new SQLiteAsyncDialect();
    super("async", dialect, new D1Session(binding, dialect, retry), undefined);
    this.binding = binding;
    this.#retry = retry;
  }

  /**
   * Runs writes, or several reads at once, that may run twice without another effect. An error may follow a commit, so the caller declares
   * this. Single reads are repeated without it.
   */
  idempotent<T>(run: () => Promise<T>): Promise<T> {
    return this.#retry(run, mayPass);
  }
}

/**
 * D1's failures that its documentation advises to retry ("Debug D1", list of errors). A statement that took too long and an overloaded
 * database are not among them: a retry would make both worse.
 */
const PASSING =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|transient issue on remote node/i;

/** Whether a failed statement is worth a retry, by its message or a cause's message. */
function mayPass(error: unknown): boolean {
  return error instanceof Error && (PASSING.test(error.message) || mayPass(error.cause));
}
