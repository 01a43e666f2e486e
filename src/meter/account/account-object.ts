import { DurableObject } from "cloudflare:workers";
import { type Directory, openDirectory } from "../../db/directory/directory.ts";
import { retry } from "../../isolate/retry.ts";
import { AccountBooks } from "../account-books.ts";
import { IntentRunner } from "../intent-runner.ts";
import type { IntentStores } from "../intent-stores.ts";
import { LibraryMover } from "../library-mover.ts";
import { OverdueIntents } from "../overdue-intents.ts";
import { Resumables } from "../resumables.ts";
import { sendsEmail } from "../sends-email.ts";
import { loadAccount } from "./load-account.ts";
import { openIntentStores } from "./open-intent-stores.ts";

/**
 * What all methods of an account's meter work with. RPC finds methods on the whole chain of prototypes, whatever TypeScript calls
 * `protected`, but no property of the object itself (Workers RPC, "Visibility and security model"). So what the methods share are
 * properties here, and only what a caller may ask for is a method.
 */
export abstract class AccountObject extends DurableObject<Env> {
  protected readonly books: AccountBooks;
  protected readonly runner: IntentRunner;
  protected readonly mover: LibraryMover;
  /** Intents whose replay failed. */
  protected readonly overdue: OverdueIntents;
  protected readonly resumables: Resumables;

  /** When an intent that is announced now is replayed, if nobody has settled it. */
  protected readonly timeoutMs = (): number => Number(this.env.INTENT_TIMEOUT_SECONDS) * 1000;

  protected readonly openStores = (): IntentStores => openIntentStores(this.env, this.books);

  /** The directory, with failures that may pass tried again. */
  protected readonly openDirectory = (): Directory => openDirectory(this.env, retry);

  /** Learns the account's facts from the directory where it does not know them yet. False where there is no such account. */
  protected readonly load = (): Promise<boolean> => loadAccount(this.ctx.id.name, this.books, this.openDirectory);

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    const { storage } = state;
    this.books = new AccountBooks(storage, { sendsEmail: () => sendsEmail(this.env) });
    const options = {
      ...{ storage, books: this.books },
      ...{ openStores: this.openStores, timeoutMs: this.timeoutMs },
    };
    this.mover = new LibraryMover(options);
    this.overdue = new OverdueIntents(storage.kv);
    this.runner = new IntentRunner({ ...options, mover: this.mover, overdue: this.overdue });
    this.resumables = new Resumables({
      ...options,
      keepsUploadsOut: () => this.mover.keepsUploadsOut,
      goOn: (id) => this.runner.goOn(id),
    });
  }
}
