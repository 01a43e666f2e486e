import { withdrawAccount } from "../db/directory/accounts.ts";
import { deleteLibrary } from "../db/library/erase-library.ts";
import { toLogLine } from "../domain/log-line.ts";
import { accountMarker } from "../domain/object-key.ts";
import type { AccountBooks } from "./account-books.ts";
import { finishResumable } from "./finish-resumable.ts";
import { finishThumbnail } from "./finish-thumbnail.ts";
import { intentId, toSweep, type UploadIntent } from "./intent.ts";
import type { StoredIntent } from "./intent-store.ts";
import type { IntentEffect, IntentStores } from "./intent-stores.ts";
import type { LibraryMover } from "./library-mover.ts";
import { performIntent } from "./perform-intent.ts";
import { scheduleAlarm } from "./schedule-alarm.ts";

/** What was undone is looked after once more, so many times an intent's timeout later. */
const SWEEP_DELAYS = 2;

/** `missing`: the upload has none. `gone`: there is no such upload any more. */
export type ThumbnailSettlement = "counted" | "missing" | "gone";

export interface IntentCompletionOptions {
  readonly storage: DurableObjectStorage;
  readonly books: AccountBooks;
  openStores(): IntentStores;
  timeoutMs(): number;
  readonly mover: LibraryMover;
}

/** Carries one intent out in the other stores, and settles it in the account's own tables. Whoever calls it has the intent's turn. */
export class IntentCompletion {
  readonly #options: IntentCompletionOptions;

  constructor(options: IntentCompletionOptions) {
    this.#options = options;
  }

  /** @returns whether this call has settled it */
  async carryOut(stored: StoredIntent): Promise<boolean> {
    const { intent } = stored;
    if (intent.kind === "thumbnail") return (await this.settleThumbnail(intent.uploadId)) === "counted";
    if (intent.kind === "move") return this.#options.mover.goOn(stored, intent);
    if (intent.kind === "register") {
      await this.unregister({ mayComeLate: true });
      return true;
    }
    const { storage, books, openStores } = this.#options;
    if (intent.kind === "upload" && intent.isResumable === true) return this.#finishResumable(stored, intent);
    if (intent.kind === "sweep" && books.isUpload(intent.uploadId)) return this.#intents.settle(stored);
    const effect = await performIntent(intent, openStores());
    if (intent.kind === "erase") {
      await this.#continueErasing(stored, effect);
      return true;
    }
    return effect.done && storage.transactionSync(() => this.#settle(stored, effect));
  }

  #settle(stored: StoredIntent, effect: IntentEffect): boolean {
    const { books, timeoutMs } = this.#options;
    const { intent } = stored;
    if (intent.kind === "upload" && effect.operation === null) {
      // Its request may be alive, and about to write its row.
      this.#intents.put(toSweep(intent), 0, Date.now() + SWEEP_DELAYS * timeoutMs());
    }
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

  /**
   * As if there had never been an attempt to open the account. An earlier life of this object may have sent what opens it, and that come
   * later: then all is looked after once more.
   */
  async unregister({ mayComeLate }: { readonly mayComeLate: boolean }): Promise<void> {
    const { storage, books, openStores, timeoutMs } = this.#options;
    const { accountId, directory, library, files } = openStores();
    await withdrawAccount(directory, accountId);
    await deleteLibrary(library, accountId);
    await files.delete(accountMarker(accountId));
    const stored = this.#intents.find(intentId({ kind: "register" }));
    if (!mayComeLate || stored === undefined || stored.attempts > 0) return books.forget();
    this.#intents.defer(stored.id, Date.now() + SWEEP_DELAYS * timeoutMs());
    await scheduleAlarm(storage, books);
  }

  /** Counts a video's thumbnail as R2 holds it, and has the catalogue say the same. */
  async settleThumbnail(uploadId: string): Promise<ThumbnailSettlement> {
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
    const { storage } = this.#options;
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
    await scheduleAlarm(storage, this.#options.books);
  }

  get #intents() {
    return this.#options.books.intents;
  }
}
