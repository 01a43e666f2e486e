import { isShard, type Shard } from "../../domain/ids.ts";
import { LibraryMovedError } from "../library-moved-error.ts";
import { Db, type Retry } from "../session.ts";

/** The longest time that a write, and its client, waits for a library that is moving to another shard. */
const MAX_WAIT_MS = 15_000;
const POLL_MS = 200;

/** Finds the shard of an account's library. */
type Locate = () => Promise<Shard>;

/** A shard: a database with the libraries of many accounts. A library that is opened for one account follows it when it moves. */
export class Library extends Db {
  readonly kind = "library";
  /** Looks up the shard again; resolves to whether it changed. */
  readonly #follow: (() => Promise<boolean>) | undefined;

  constructor(shard: Shard, bindingOf: (shard: Shard) => D1Database, retry: Retry, locate?: Locate) {
    let binding = bindingOf(shard);
    // Statements are prepared when they run, so they use the current shard.
    const current = {
      prepare: (query: string) => binding.prepare(query),
      batch: (statements: D1PreparedStatement[]) => binding.batch(statements),
    };
    super(current as D1Database, retry);
    if (locate === undefined) return;
    this.#follow = async () => {
      const before = binding;
      binding = bindingOf(await locate());
      return binding !== before;
    };
  }

  /** Follows the library to its present shard, with a call to the account's object. @returns whether it has moved */
  async follow(): Promise<boolean> {
    return this.#follow !== undefined && (await this.#follow());
  }

  /**
   * Runs writes. While the library is moving they wait, then go to its new shard.
   * @throws LibraryMovedError if that takes too long
   */
  override async idempotent<T>(run: () => Promise<T>): Promise<T> {
    const endsAt = Date.now() + MAX_WAIT_MS;
    for (;;) {
      try {
        return await super.idempotent(run);
      } catch (error) {
        if (!(error instanceof LibraryMovedError) || this.#follow === undefined || Date.now() > endsAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        const isElsewhere = await this.#follow();
        // The library is being erased.
        if (error.hasLeft && !isElsewhere) throw error;
      }
    }
  }
}

const BINDING = /^LIBRARY_(\d\d)$/;

/** The shards for which this Worker has a database. */
export interface Libraries {
  readonly shards: readonly Shard[];
  /**
   * @param locate lets a library opened for one account follow it when it moves
   * @throws Error if there is no such shard
   */
  open(shard: Shard, locate?: Locate): Library;
  /** The database itself, for schema changes. */
  bindingOf(shard: Shard): D1Database;
}

/**
 * Opens a Worker's bindings `LIBRARY_00`, `LIBRARY_01`, ...
 * @param retry how transient failures are retried; without it the caller gets them
 */
export function openLibraries(bindings: object, retry: Retry = (attempt) => attempt()): Libraries {
  const databases = new Map<Shard, D1Database>();
  for (const [name, binding] of Object.entries(bindings)) {
    const shard = BINDING.exec(name)?.[1];
    if (shard !== undefined && isShard(shard)) databases.set(shard, binding as D1Database);
  }
  const bindingOf = (shard: Shard) => {
    const binding = databases.get(shard);
    if (binding === undefined) throw new Error(`There is no binding LIBRARY_${shard}`);
    return binding;
  };
  return {
    shards: [...databases.keys()].sort(),
    open: (shard, locate) => new Library(shard, bindingOf, retry, locate),
    bindingOf,
  };
}
