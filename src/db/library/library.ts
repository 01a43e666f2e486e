import type { Shard } from "../../domain/shard.ts";
import { Db } from "../client.ts";
import { LibraryMovedError } from "../library-moved-error.ts";
import type { Retry } from "../session.ts";

/** A write waits this long at most for a library that is on its way to another shard; so does its client. */
const MAX_WAIT_MS = 15_000;
const POLL_MS = 200;

/** In which shard an account's library is now. */
export type Locate = () => Promise<Shard>;

/** A shard: a database that holds the libraries of many accounts. Where it is opened for one of them, it follows that one. */
export class Library extends Db {
  readonly kind = "library";
  /** Says whether the library is elsewhere now. */
  readonly #follow: (() => Promise<boolean>) | undefined;

  constructor(shard: Shard, bindingOf: (shard: Shard) => D1Database, retry: Retry, locate?: Locate) {
    let binding = bindingOf(shard);
    // Statements are prepared when they run, so they go where the library is by then.
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

  /**
   * A write waits while the library is being moved, and goes where it is then.
   * @throws LibraryMovedError where that takes too long
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
        // It is being erased.
        if (error.hasLeft && !isElsewhere) throw error;
      }
    }
  }
}
