import { withdrawAccount } from "../db/directory/accounts.ts";
import { deleteLibrary } from "../db/library/erase-library.ts";
import { toLogLine } from "../domain/log-line.ts";
import { accountMarker } from "../domain/object-key.ts";
import { Turns } from "../isolate/turns.ts";
import type { AccountBooks } from "./account-books.ts";
import { finishResumable } from "./finish-resumable.ts";
import { finishThumbnail } from "./finish-thumbnail.ts";
import { type Intent, intentId, type UploadIntent } from "./intent.ts";
import type { StoredIntent } from "./intent-store.ts";
import type { IntentEffect, IntentStores } from "./intent-stores.ts";
import type { LibraryMover } from "./library-mover.ts";
import type { OverdueIntents } from "./overdue-intents.ts";
import { performIntent } from "./perform-intent.ts";

/** The intents that one alarm replays; another alarm follows at once where there are more. */
const REPLAYS_PER_ALARM = 50;
const MAX_BACKOFF_MS = 60 * 60_000;

/** `missing`: the upload has none. `gone`: there is no such upload any more. */
export type ThumbnailSettlement = "counted" | "missing" | "gone";

export interface IntentRunnerOptions {
  readonly storage: DurableObjectStorage;
  readonly books: AccountBooks;
  openStores(): IntentStores;
  timeoutMs(): number;
  readonly mover: LibraryMover;
  /** Those whose replay failed. */
  readonly overdue: OverdueIntents;
}

/**
 * Carries intents out and settles them. All work on intents of the same id is done in turns, and a turn carries out the
 * intent that is stored when the turn begins: of two changes the newer one always reaches the catalogue last.
 */
export class IntentRunner {
  readonly #options: IntentRunnerOptions;
  readonly #turns = new Turns();

  constructor(options: IntentRunnerOptions) {
    this.#options = options;
  }

  /**
   * Announces a change, applies it to this object's own tables in the same transaction, carries it out in the other stores
   * and settles it. Where a store fails, the error reaches the caller and the alarm finishes the change.
   * @returns false where another call settled it meanwhile
   */
  async change(intent: Intent, applyHere: () => void = () => {}): Promise<boolean> {
    const { storage, timeoutMs } = this.#options;
    const id = intentId(intent);
    storage.transactionSync(() => {
      this.#intents.put(intent, 0, Date.now() + timeoutMs());
      applyHere();
    });
    await this.scheduleAlarm();
    return this.#turns.take(id, async () => {
      const stored = this.#intents.find(id);
      return stored !== undefined && this.#carryOut(stored);
    });
  }

  /**
   * Announces that an account is being opened, and opens it. What fails is undone, so far as it came.
   * @param open false where it cannot be
   */
  async register(announce: () => void, open: (stores: IntentStores) => Promise<boolean>): Promise<boolean> {
    const { storage, timeoutMs, openStores } = this.#options;
    const intent = { kind: "register" } as const;
    storage.transactionSync(() => {
      announce();
      this.#intents.put(intent, 0, Date.now() + timeoutMs());
    });
    await this.scheduleAlarm();
    return this.#turns.take(intentId(intent), async () => {
      try {
        if (await open(openStores())) return this.#intents.remove(intentId(intent));
      } catch (error) {
        await this.#unregister().catch((later: unknown) => console.error(toLogLine("account.undone-later", {}, later)));
        throw error;
      }
      await this.#unregister();
      return false;
    });
  }

  /** Replays intents that nobody settled in time; one that fails is tried again, later each time. */
  async replayDue(): Promise<void> {
    for (const { id } of this.#intents.listDue(Date.now(), REPLAYS_PER_ALARM)) await this.#replayOrDefer(id);
  }

  /** Replays one at once that is overdue, for the operator; one that fails is tried again later. */
  async replayNow(id: string): Promise<void> {
    this.#intents.renew(id, Date.now());
    await this.#replayOrDefer(id);
    await this.scheduleAlarm();
  }

  /** Carries out what is stored under this id, when its turn has come. Whatever ends this call, the alarm goes on. */
  async goOn(id: string): Promise<void> {
    await this.scheduleAlarm();
    await this.#turns.take(id, async () => {
      const stored = this.#intents.find(id);
      if (stored !== undefined) await this.#carryOut(stored);
    });
    await this.scheduleAlarm();
  }

  /**
   * Waits for an upload's replay that is under way. One whose time ran out may be undone in part, by a replay that failed or
   * was cut short: only another one can tell what is left.
   */
  async finishReplay(id: string): Promise<void> {
    await this.#turns.take(id, async () => {
      const stored = this.#intents.find(id);
      if (stored !== undefined && (stored.attempts > 0 || stored.dueAt <= Date.now())) await this.#carryOut(stored);
    });
  }

  /** Counts a video's thumbnail as R2 holds it, and has the catalogue say the same. */
  async settleThumbnail(uploadId: string): Promise<ThumbnailSettlement> {
    return this.#turns.take(intentId({ kind: "thumbnail", uploadId }), () => this.#settleThumbnail(uploadId));
  }

  /** The next due intent or alert, or the next pruning of the log; an earlier alarm that is set stays. */
  async scheduleAlarm(): Promise<void> {
    const { storage, books } = this.#options;
    const { ledger } = books;
    const dueTimes = [this.#intents.nextDueAt(), ledger.alerts.nextDueAt(), books.resumables.nextDueAt()].filter(
      (at) => at !== null,
    );
    const nextAt = dueTimes.length > 0 ? Math.min(...dueTimes) : ledger.exists ? ledger.log.nextPruningAt() : null;
    if (nextAt === null) return;
    const dueAt = Math.max(nextAt, Date.now());
    const current = await storage.getAlarm();
    if (current === null || current > dueAt) await storage.setAlarm(dueAt);
  }

  async #replayOrDefer(id: string): Promise<void> {
    try {
      await this.#turns.take(id, () => this.#replay(id));
      this.#options.overdue.clear(id);
    } catch (error) {
      const { ledger } = this.#options.books;
      const accountId = ledger.exists ? ledger.accountId : undefined;
      console.error(toLogLine("intent.not-replayed", { accountId, intentId: id }, error));
      const failed = this.#findDue(id);
      if (failed === undefined) return;
      const delayMs = Math.min(MAX_BACKOFF_MS, this.#options.timeoutMs() * 2 ** failed.attempts);
      this.#intents.defer(id, Date.now() + delayMs);
      this.#options.overdue.note(id, error);
    }
  }

  /** It may have been settled, renewed or replaced since it was listed. */
  async #replay(id: string): Promise<void> {
    const stored = this.#findDue(id);
    if (stored === undefined) return;
    if (stored.intent.kind === "upload") this.#intents.begin(id);
    const isDone = await this.#carryOut(stored);
    // The next alarm goes on at once.
    if (!isDone && stored.intent.kind === "delete-folder") this.#intents.renew(id, Date.now());
  }

  async #carryOut(stored: StoredIntent): Promise<boolean> {
    const { intent } = stored;
    if (intent.kind === "thumbnail") return (await this.#settleThumbnail(intent.uploadId)) === "counted";
    if (intent.kind === "move") return this.#options.mover.goOn(stored, intent);
    if (intent.kind === "register") {
      await this.#unregister();
      return true;
    }
    const { storage, openStores } = this.#options;
    if (intent.kind === "upload" && intent.isResumable === true) return this.#finishResumable(stored, intent);
    const effect = await performIntent(intent, openStores());
    if (intent.kind === "erase") {
      await this.#continueErasing(stored, effect);
      return true;
    }
    return effect.done && storage.transactionSync(() => this.#settle(stored, effect));
  }

  #settle(stored: StoredIntent, effect: IntentEffect): boolean {
    const { books } = this.#options;
    const { intent } = stored;
    // Whoever sends its request again is told of it.
    if (intent.kind === "upload" && intent.claim !== undefined && effect.operation !== null) {
      books.claims.keep(intent.claim, intent.uploadId);
    }
    return books.settle(stored, effect);
  }

  async #finishResumable(stored: StoredIntent, intent: UploadIntent): Promise<boolean> {
    const { storage, books, openStores } = this.#options;
    const { uploadId } = intent;
    const upload = books.resumables.find(uploadId);
    const file = upload?.file ?? null;
    const parts = books.resumables.bytes.listParts(uploadId);
    // One that is done, or was dropped with its account, is like any other.
    if (upload?.state !== "receiving" || file === null) {
      const effect = await performIntent(intent, openStores());
      return storage.transactionSync(() => books.settle(stored, effect));
    }
    const effect = await finishResumable(intent, { upload: { ...upload, file }, parts }, openStores());
    return storage.transactionSync(() => {
      if (effect !== undefined) return books.settle(stored, effect);
      console.error(toLogLine("resumable.lost", { uploadId }));
      books.resumables.put({ ...upload, state: "removed", reservedBytes: 0, writer: null, dueAt: Date.now() });
      return this.#intents.settle(stored);
    });
  }

  /** As if there had never been an attempt to open the account. */
  async #unregister(): Promise<void> {
    const { books, openStores } = this.#options;
    const { accountId, directory, library, files } = openStores();
    await withdrawAccount(directory, accountId);
    await deleteLibrary(library, accountId);
    await files.delete(accountMarker(accountId));
    await books.forget();
  }

  async #settleThumbnail(uploadId: string): Promise<ThumbnailSettlement> {
    const { storage, books, openStores } = this.#options;
    const id = intentId({ kind: "thumbnail", uploadId });
    const dueAt = this.#intents.find(id)?.dueAt ?? 0;
    const sizeBytes = await finishThumbnail(uploadId, openStores());
    storage.transactionSync(() => {
      // What a maker has set aside since R2 was looked into stays so: its object is still to come, and to be counted.
      const isBegunAgain = sizeBytes === 0 && (this.#intents.find(id)?.dueAt ?? 0) > dueAt;
      if (!isBegunAgain) this.#intents.remove(id);
      // Its upload may have been deleted meanwhile, and the thumbnail with it.
      books.countThumbnail(uploadId, books.isDeleted(uploadId) ? 0 : (sizeBytes ?? 0));
    });
    if (sizeBytes === undefined) return "gone";
    return sizeBytes > 0 ? "counted" : "missing";
  }

  /**
   * An upload that was under way may still put its file after the first complete pass. So the object forgets itself only
   * after a second one, when every such upload has run into its timeout. What stays is a tombstone.
   */
  async #continueErasing({ id, attempts }: StoredIntent, { done }: IntentEffect): Promise<void> {
    const secondPass = attempts > 0;
    const isQuiet = this.#intents.listOf("upload", "thumbnail").length === 0;
    const erasing = this.#intents.find(id)?.intent;
    if (done && isQuiet && erasing?.kind === "erase" && erasing.emptiedAt === undefined) {
      this.#intents.replace({ ...erasing, emptiedAt: Date.now() });
    }
    if (!done) {
      this.#intents.renew(id, Date.now());
    } else if (!secondPass || !isQuiet) {
      this.#intents.defer(id, Date.now() + 2 * this.#options.timeoutMs());
    } else {
      const emptiedAt = erasing?.kind === "erase" ? erasing.emptiedAt : undefined;
      await this.#options.books.bury(emptiedAt ?? Date.now());
      return;
    }
    await this.scheduleAlarm();
  }

  #findDue(id: string): StoredIntent | undefined {
    const stored = this.#intents.find(id);
    return stored !== undefined && stored.dueAt <= Date.now() ? stored : undefined;
  }

  get #intents() {
    return this.#options.books.intents;
  }
}
