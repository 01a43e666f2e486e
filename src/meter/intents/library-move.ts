import type { Shard } from "../../domain/ids.ts";
import type { AccountTables } from "../account/account-tables.ts";
import type { AccountStores } from "./account-stores.ts";
import type { MoveIntent } from "./intent.ts";
import { keepsWritesOut, MOVE_ID, type StoredIntent } from "./intent-table.ts";
import { runMovePass } from "./move-pass.ts";
import type { MoveProgress } from "./outcomes.ts";

/** The time for which a move waits for uploads that began before it. No upload begins during that time. */
const DRAIN_MS = 60_000;
const DRAIN_POLL_MS = 1000;
/** The copy is given up after this many failures, because no request can write to the library until then. */
const MAX_COPY_ATTEMPTS = 3;

export interface LibraryMoveOptions {
  readonly storage: DurableObjectStorage;
  readonly tables: AccountTables;
  openStores(): AccountStores;
  timeoutMs(): number;
}

/** Moves an account's library to another shard, and records the move in the account's own tables. */
export class LibraryMove {
  readonly #options: LibraryMoveOptions;

  constructor(options: LibraryMoveOptions) {
    this.#options = options;
  }

  /**
   * Announces a move, unless one is in progress.
   * @returns the outcome if there is nothing to continue; undefined if the move has to continue
   */
  begin(to: Shard): MoveProgress | undefined {
    const { tables, timeoutMs } = this.#options;
    const begun = this.#intent;
    if (begun !== undefined) {
      if (begun.stage === "clearing") return { outcome: begun.to === to ? "moved" : "moving" };
      return begun.to === to ? undefined : { outcome: "moving" };
    }
    const from = tables.ledger.shard;
    if (from === to) return { outcome: "moved" };
    const begunAt = Date.now();
    tables.intents.put({ kind: "move", from, to, stage: "begun", after: null, begunAt }, 0, begunAt + timeoutMs());
    return undefined;
  }

  /** The outcome of a move as it is now. */
  progress(to: Shard): MoveProgress {
    const { ledger, intents } = this.#options.tables;
    if (ledger.shard === to) return { outcome: "moved" };
    if (this.#intent !== undefined) return { outcome: "moving" };
    const { uploads } = intents.pending();
    return uploads > 0 ? { outcome: "busy", uploads } : { outcome: "unchanged" };
  }

  /** Carries out one pass. @returns whether nothing is left to do */
  async goOn({ id, attempts, dueAt }: StoredIntent, intent: MoveIntent): Promise<boolean> {
    const { storage, tables, openStores, timeoutMs } = this.#options;
    // Another pass has reached this state since.
    if (intent.stage === "clearing" && dueAt > Date.now()) return false;
    if (intent.stage === "begun" && tables.intents.pending().uploads > 0) {
      if (Date.now() - intent.begunAt > DRAIN_MS) tables.intents.remove(id);
      else tables.intents.renew(id, Date.now() + DRAIN_POLL_MS);
      return false;
    }
    if (keepsWritesOut(intent) && attempts >= MAX_COPY_ATTEMPTS) {
      tables.intents.put({ ...intent, stage: "returning" }, 0, Date.now());
      return false;
    }
    const next = await runMovePass(intent, openStores(), tables.intents.nextChangeAt(Date.now()));
    storage.transactionSync(() => {
      // The account may have been erased since.
      if (!tables.intents.remove(id) || next === undefined) return;
      // Requests that began before may still read the old rows; none of them lasts longer than this.
      const waitMs = next.stage === "clearing" && intent.stage !== "clearing" ? timeoutMs() : 0;
      tables.intents.put(next, 0, Date.now() + waitMs);
      if (next.stage === "arrived") tables.ledger.setShard(next.to);
    });
    return next === undefined;
  }

  get #intent(): MoveIntent | undefined {
    const intent = this.#options.tables.intents.find(MOVE_ID)?.intent;
    return intent?.kind === "move" ? intent : undefined;
  }
}
