import type { Shard } from "../domain/shard.ts";
import type { AccountBooks } from "./account-books.ts";
import type { MoveProgress } from "./answers.ts";
import type { MoveIntent } from "./intent.ts";
import type { StoredIntent } from "./intent-store.ts";
import type { IntentStores } from "./intent-stores.ts";
import { moveSome } from "./move-library.ts";

/** A move waits this long for uploads that began before it; none begins meanwhile. */
const DRAIN_MS = 60_000;
const DRAIN_POLL_MS = 1000;
/** A copy that failed so often is given up: until then nobody can write to the library. */
const MAX_COPY_ATTEMPTS = 3;

export const MOVE_ID = "move";

export interface LibraryMoverOptions {
  readonly storage: DurableObjectStorage;
  readonly books: AccountBooks;
  openStores(): IntentStores;
  timeoutMs(): number;
}

/** Where an account's library is on its way to another shard, and what of it the account's own tables have to learn. */
export class LibraryMover {
  readonly #options: LibraryMoverOptions;

  constructor(options: LibraryMoverOptions) {
    this.#options = options;
  }

  /** Announces a move, unless one is under way. @returns what there is to say of it without going on; undefined where it goes on */
  begin(to: Shard): MoveProgress | undefined {
    const { books, timeoutMs } = this.#options;
    const begun = this.#intent;
    if (begun !== undefined) {
      if (begun.stage === "clearing") return { outcome: begun.to === to ? "moved" : "moving" };
      return begun.to === to ? undefined : { outcome: "moving" };
    }
    const from = books.ledger.shard;
    if (from === to) return { outcome: "moved" };
    const begunAt = Date.now();
    books.intents.put({ kind: "move", from, to, stage: "begun", after: null, begunAt }, 0, begunAt + timeoutMs());
    return undefined;
  }

  /** How a move stands that was begun. */
  progress(to: Shard): MoveProgress {
    const { ledger, intents } = this.#options.books;
    if (ledger.shard === to) return { outcome: "moved" };
    if (this.#intent !== undefined) return { outcome: "moving" };
    const { uploads } = intents.pending();
    return uploads > 0 ? { outcome: "busy", uploads } : { outcome: "unchanged" };
  }

  /** Whether an upload must not begin, as it would end in a library that has left. */
  get keepsUploadsOut(): boolean {
    const intent = this.#intent;
    return intent !== undefined && keepsWritesOut(intent);
  }

  /** One pass. @returns whether nothing is left to do */
  async goOn({ id, attempts, dueAt }: StoredIntent, intent: MoveIntent): Promise<boolean> {
    const { storage, books, openStores, timeoutMs } = this.#options;
    // Another pass came this far meanwhile.
    if (intent.stage === "clearing" && dueAt > Date.now()) return false;
    if (intent.stage === "begun" && books.intents.pending().uploads > 0) {
      if (Date.now() - intent.begunAt > DRAIN_MS) books.intents.remove(id);
      else books.intents.renew(id, Date.now() + DRAIN_POLL_MS);
      return false;
    }
    if (keepsWritesOut(intent) && attempts >= MAX_COPY_ATTEMPTS) {
      books.intents.put({ ...intent, stage: "returning" }, 0, Date.now());
      return false;
    }
    const next = await moveSome(intent, openStores(), books.intents.nextChangeAt(Date.now()));
    storage.transactionSync(() => {
      // The account may be erased by now.
      if (!books.intents.remove(id) || next === undefined) return;
      // Requests that began before may still read the old rows; none of them lasts as long as this.
      const waitMs = next.stage === "clearing" && intent.stage !== "clearing" ? timeoutMs() : 0;
      books.intents.put(next, 0, Date.now() + waitMs);
      if (next.stage === "arrived") books.ledger.setShard(next.to);
    });
    return next === undefined;
  }

  get #intent(): MoveIntent | undefined {
    const intent = this.#options.books.intents.find(MOVE_ID)?.intent;
    return intent?.kind === "move" ? intent : undefined;
  }
}

function keepsWritesOut({ stage }: MoveIntent): boolean {
  return stage === "begun" || stage === "copying";
}
