import { withdrawAccount } from "../../db/directory/accounts.ts";
import { deleteLibrary } from "../../db/library/erase-library.ts";
import { recordThumbnail, type VideoBytes } from "../../db/library/thumbnails.ts";
import { findUpload, recordExpiry } from "../../db/library/uploads.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { accountMarker, everyKey, keyAs, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import { readPlaceholderMetadata } from "../../domain/placeholder.ts";
import { type FileHashes, isTakenDown } from "../../domain/takedown.ts";
import { readFactsMetadata } from "../../domain/video-facts.ts";
import type { AccountTables } from "../account/account-tables.ts";
import { finishResumable } from "../resumable/finish-resumable.ts";
import type { AccountStores } from "./account-stores.ts";
import { copyObject } from "./copy-object.ts";
import {
  type DeleteIntent,
  deleteIntentId,
  intentId,
  isSecondPass,
  type ReplaceIntent,
  type SetExpiryIntent,
  type SetVisibilityIntent,
  type TakedownIntent,
  toSweep,
  type UploadIntent,
} from "./intent.ts";
import { type IntentEffect, KEPT } from "./intent-effect.ts";
import type { StoredIntent } from "./intent-table.ts";
import type { LibraryMove } from "./library-move.ts";
import type { ThumbnailSettlement } from "./outcomes.ts";
import { performIntent } from "./perform-intent.ts";
import { performReplacement, removeReplaced } from "./perform-replacement.ts";
import {
  dropFormer,
  dropRestored,
  markThumbnail,
  performRestore,
  performTakedown,
  recordTakedown,
} from "./perform-takedown.ts";
import { performVisibility, removeMoved } from "./perform-visibility.ts";

/** An undone upload is swept once more after this many intent timeouts. */
const SWEEP_DELAYS = 2;

export interface IntentCompletionOptions {
  readonly storage: DurableObjectStorage;
  readonly tables: AccountTables;
  openStores(): AccountStores;
  timeoutMs(): number;
  readonly move: LibraryMove;
}

/** Carries one intent out in the other stores, and settles it in the account's own tables. The caller holds the intent's turn. */
export class IntentCompletion {
  readonly #options: IntentCompletionOptions;

  constructor(options: IntentCompletionOptions) {
    this.#options = options;
  }

  /** @returns whether this call has settled it */
  async carryOut(stored: StoredIntent): Promise<boolean> {
    const { intent } = stored;
    if (intent.kind === "thumbnail")
      return (await this.settleThumbnail(intent.uploadId, intent.objectKey)) === "counted";
    if (intent.kind === "move") return this.#options.move.goOn(stored, intent);
    if (intent.kind === "register") {
      await this.unregister({ mayComeLate: true });
      return true;
    }
    if (intent.kind === "takedown" || intent.kind === "restore-file") return this.#changeTakedown(stored, intent);
    if (intent.kind === "set-expiry") return this.#copyExpiry(stored, intent);
    if (intent.kind === "set-visibility") return this.#changeVisibility(...(await this.#follow(stored, intent)));
    if (intent.kind === "replace") return this.#replace(stored, intent);
    if (intent.kind === "delete") return this.#delete(...(await this.#follow(stored, intent)));
    const { storage, tables, openStores } = this.#options;
    if (intent.kind === "upload" && intent.isResumable === true) return this.#finishResumable(stored, intent);
    if (intent.kind === "sweep" && tables.isUpload(intent.uploadId)) return this.#intents.settle(stored);
    const effect = await performIntent(intent, openStores());
    if (intent.kind === "erase") {
      await this.#continueErasing(stored, effect);
      return true;
    }
    return effect.done && storage.transactionSync(() => this.#settle(stored, effect));
  }

  /** Takes a file down or restores it, and plans the second pass. The upload may be deleted in the meantime. */
  async #changeTakedown(stored: StoredIntent, intent: TakedownIntent): Promise<boolean> {
    const { storage, tables, openStores, timeoutMs } = this.#options;
    const { takedown, isAgain = false } = intent;
    const { uploadId } = takedown;
    // A restoration must not write the file again during its deletion. A takedown does not wait for the deletion's end. A deletion that is
    // only for the trash may keep the file, so the restoration waits for its turn instead (`IntentRunner`).
    const isGoing = () => {
      const deletion = tables.intents.find(deleteIntentId(uploadId))?.intent;
      return intent.kind === "restore-file" && deletion?.kind === "delete" && deletion.onlyFrom === undefined;
    };
    const isLive = () => !tables.erasing && !tables.isDeleted(uploadId) && !isGoing();
    let hashes: FileHashes | undefined;
    if (isLive()) {
      const isRestored =
        intent.kind === "restore-file" && (await performRestore(takedown, openStores(), { isLast: isAgain }));
      // A file whose kept bytes are gone stays taken down.
      if (intent.kind === "restore-file" && !isRestored) return this.#intents.settle(stored);
      if (intent.kind === "takedown") hashes = await performTakedown(takedown, openStores());
      if (intent.kind === "takedown" && isAgain) await dropFormer(takedown, openStores());
    }
    if (!isLive()) {
      if (intent.kind === "restore-file") await dropRestored(takedown, openStores());
      else {
        // The takedown's first pass may have stored bytes before it was interrupted.
        await recordTakedown(takedown, {}, openStores());
        await dropFormer(takedown, openStores());
      }
    }
    // A deletion removed the objects before this call wrote them again.
    if (!tables.erasing && tables.isDeleted(uploadId)) {
      const paths = [takedown.objectKey, thumbnailKey(tables.ledger.accountId, versionOf(takedown.objectKey))];
      await openStores().files.delete(paths.flatMap(everyKey));
    }
    return storage.transactionSync(() => {
      if (!this.#intents.settle(stored)) return false;
      if (!isLive()) {
        tables.takedowns.delete(uploadId);
      } else if (intent.kind === "takedown") {
        tables.takedowns.put(hashes === undefined ? takedown : { ...takedown, hashes });
        tables.countThumbnail(uploadId, 0);
      } else tables.takedowns.delete(uploadId);
      if (!isAgain && isLive()) tables.events.record("image.updated", uploadId);
      if (!isAgain && !tables.erasing) {
        this.#intents.put({ ...intent, isAgain: true }, 0, Date.now() + SWEEP_DELAYS * timeoutMs());
      }
      return true;
    });
  }

  /**
   * Writes the present expiry into the row, and plans the second pass. It does not write the intent's own value, so the last pass always
   * writes the last value.
   */
  async #copyExpiry(stored: StoredIntent, intent: SetExpiryIntent): Promise<boolean> {
    const { storage, tables, openStores, timeoutMs } = this.#options;
    const { uploadId, isAgain = false } = intent;
    if (!tables.erasing && !tables.isDeleted(uploadId)) {
      const { library, accountId } = openStores();
      await recordExpiry(library, { accountId, id: uploadId }, tables.expiries.find(uploadId) ?? null);
    }
    return storage.transactionSync(() => {
      if (!this.#intents.settle(stored)) return false;
      if (!isAgain && !tables.erasing && !tables.isDeleted(uploadId)) {
        this.#intents.put({ ...intent, isAgain: true }, 0, Date.now() + SWEEP_DELAYS * timeoutMs());
      }
      return true;
    });
  }

  /** Makes a file public or private, and plans the second pass. The upload may be deleted in the meantime. */
  async #changeVisibility(stored: StoredIntent, intent: SetVisibilityIntent): Promise<boolean> {
    const { storage, tables, openStores, timeoutMs } = this.#options;
    const { uploadId, isAgain = false } = intent;
    if (!tables.isDeleted(uploadId)) await performVisibility(intent, openStores());
    if (!tables.erasing && tables.isDeleted(uploadId)) await removeMoved(intent, openStores());
    return storage.transactionSync(() => {
      if (!this.#intents.settle(stored)) return false;
      if (!isAgain && !tables.erasing) {
        if (!tables.isDeleted(uploadId)) tables.events.record("image.updated", uploadId);
        this.#intents.put({ ...intent, isAgain: true }, 0, Date.now() + SWEEP_DELAYS * timeoutMs());
      }
      return true;
    });
  }

  /** Gives a file new bytes, settles that, and plans the second pass. The upload may be deleted in the meantime. */
  async #replace(stored: StoredIntent, intent: ReplaceIntent): Promise<boolean> {
    const { storage, tables, openStores, timeoutMs } = this.#options;
    const { uploadId, isAgain = false } = intent;
    const isReplaced =
      !tables.erasing && !tables.isDeleted(uploadId) && (await performReplacement(intent, openStores()));
    if (!tables.erasing && tables.isDeleted(uploadId)) await removeReplaced(intent, openStores());
    return storage.transactionSync(() => {
      if (!this.#intents.settle(stored)) return false;
      if (isAgain || tables.erasing) return true;
      if (isReplaced && !tables.isDeleted(uploadId)) tables.settleReplacement(intent);
      this.#intents.put({ ...intent, isAgain: true }, 0, Date.now() + SWEEP_DELAYS * timeoutMs());
      return true;
    });
  }

  async #delete(stored: StoredIntent, intent: DeleteIntent): Promise<boolean> {
    const { storage, openStores } = this.#options;
    const effect = await performIntent(intent, openStores());
    if (effect === KEPT) {
      // If an unconditional deletion was announced in the meantime, its intent remains.
      this.#intents.settle({ ...stored, intent });
      return false;
    }
    return storage.transactionSync(() => {
      // A second request may have announced the same deletion since, with the facts that it knew.
      this.#intents.replace(intent);
      return this.#settle({ ...stored, intent }, effect);
    });
  }

  /**
   * Finishes replacements of the upload that were begun before this intent, and puts the present key and size into the intent, because the
   * request read the row earlier. The caller holds the turns that exclude other replacements.
   */
  async #follow<I extends DeleteIntent | SetVisibilityIntent>(
    stored: StoredIntent,
    intent: I,
  ): Promise<[StoredIntent, I]> {
    const { tables, openStores } = this.#options;
    const { uploadId } = intent;
    const replacements = this.#intents.listReplacements(uploadId);
    if (replacements.length === 0 || tables.erasing || tables.isDeleted(uploadId)) return [stored, intent];
    for (const each of replacements) if (!isSecondPass(each.intent)) await this.#replace(each, each.intent);
    const { accountId, library } = openStores();
    const row = await findUpload(library, accountId, uploadId);
    // A newer change of visibility may have taken its place. A deletion is not replaced by another change.
    const found = this.#intents.find(stored.id)?.intent;
    const isCurrent = intent.kind === "delete" || JSON.stringify(found) === JSON.stringify(intent);
    if (row === undefined || row.objectKey === intent.objectKey || !isCurrent) return [stored, intent];
    const { objectKey, sizeBytes } = row;
    // An unconditional deletion may have replaced a deletion that is only for the trash.
    const latest = found?.kind === intent.kind ? (found as I) : intent;
    const current: I = { ...latest, objectKey, ...(intent.kind === "delete" && { sizeBytes }) };
    this.#intents.replace(current);
    return [{ ...stored, intent: current }, current];
  }

  #settle(stored: StoredIntent, effect: IntentEffect): boolean {
    const { tables, timeoutMs } = this.#options;
    const { intent } = stored;
    if (intent.kind === "upload" && effect.operation === null) {
      // The upload's request may still run, and may be about to write its row.
      this.#intents.put(toSweep(intent), 0, Date.now() + SWEEP_DELAYS * timeoutMs());
    }
    // A repeated request gets this upload in its answer.
    if (intent.kind === "upload" && intent.claim !== undefined && effect.operation !== null) {
      tables.claims.keep(intent.claim, intent.uploadId);
    }
    return tables.settle(stored, effect);
  }

  async #finishResumable(stored: StoredIntent, intent: UploadIntent): Promise<boolean> {
    const { storage, tables, openStores } = this.#options;
    const { uploadId } = intent;
    const upload = tables.resumables.find(uploadId);
    const file = upload?.file ?? null;
    const parts = tables.resumables.bytes.listParts(uploadId);
    // An upload that is done, or was cancelled with its account, is finished like any other.
    if (upload?.state !== "receiving" || file === null) {
      const effect = await performIntent(intent, openStores());
      return storage.transactionSync(() => tables.settle(stored, effect));
    }
    const effect = await finishResumable(intent, { upload: { ...upload, file }, parts }, openStores());
    return storage.transactionSync(() => {
      if (effect !== undefined) return tables.settle(stored, effect);
      console.error(toLogLine("resumable.lost", { uploadId }));
      tables.resumables.put({ ...upload, state: "removed", reservedBytes: 0, writer: null, dueAt: Date.now() });
      return this.#intents.settle(stored);
    });
  }

  /**
   * Undoes a registration. Repeats the clean-up later if `mayComeLate`, because a late write of an earlier life of this object may recreate
   * rows.
   */
  async unregister({ mayComeLate }: { readonly mayComeLate: boolean }): Promise<void> {
    const { tables, openStores, timeoutMs } = this.#options;
    const { accountId, directory, library, files } = openStores();
    await withdrawAccount(directory, accountId);
    await deleteLibrary(library, accountId);
    await files.delete(accountMarker(accountId));
    const stored = this.#intents.find(intentId({ kind: "register" }));
    if (!mayComeLate || stored === undefined || stored.attempts > 0) return tables.forget();
    this.#intents.defer(stored.id, Date.now() + SWEEP_DELAYS * timeoutMs());
  }

  /**
   * Counts a video's thumbnail at the size that R2 has, and updates its row in D1.
   * @param objectKey the path of the bytes of which it was made. If they were replaced since, the thumbnail of the new bytes is meant
   */
  async settleThumbnail(uploadId: string, objectKey?: string): Promise<ThumbnailSettlement> {
    const { storage, tables, openStores } = this.#options;
    const id = intentId({ kind: "thumbnail", uploadId });
    const takedown = tables.takedowns.find(uploadId);
    if (takedown !== undefined) {
      await markThumbnail(takedown, openStores());
      this.#endThumbnail(id);
      tables.countThumbnail(uploadId, 0);
      return "counted";
    }
    const dueAt = this.#intents.find(id)?.dueAt ?? 0;
    const version = objectKey === undefined ? uploadId : versionOf(objectKey);
    const sizeBytes = await finishThumbnail({ uploadId, version }, openStores());
    storage.transactionSync(() => {
      // A reservation that was made after R2 was read stays, because its object will still be written and counted.
      const isBegunAgain = sizeBytes === 0 && (this.#intents.find(id)?.dueAt ?? 0) > dueAt;
      if (!isBegunAgain) this.#endThumbnail(id);
      // The upload may have been deleted since, and the thumbnail with it.
      const countedBytes = tables.isDeleted(uploadId) ? 0 : (sizeBytes ?? 0);
      if (countedBytes > 0 && !tables.thumbnails.has(uploadId)) tables.events.record("thumbnail.ready", uploadId);
      tables.countThumbnail(uploadId, countedBytes);
    });
    if (sizeBytes === undefined) return "gone";
    return sizeBytes > 0 ? "counted" : "missing";
  }

  /** Ends the intent of a thumbnail, but not before the latest time at which another consumer's object may arrive. */
  #endThumbnail(id: string): void {
    const stored = this.#intents.find(id);
    const isAwaited = stored?.intent.kind === "thumbnail" && stored.intent.isRepeated && stored.dueAt > Date.now();
    if (isAwaited) this.#intents.shrink(id, 0);
    else this.#intents.remove(id);
  }

  /**
   * An upload in progress may still put its file after the first complete pass. So the object is forgotten only after a second pass, when
   * every such upload has timed out. A tombstone stays.
   */
  async #continueErasing({ id, attempts }: StoredIntent, { done }: IntentEffect): Promise<void> {
    const secondPass = attempts > 0;
    const isQuiet =
      this.#intents.listOf("upload", "thumbnail", "set-visibility", "replace", "takedown", "restore-file").length === 0;
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
      this.#options.tables.bury(emptiedAt ?? Date.now());
    }
  }

  get #intents() {
    return this.#options.tables.intents;
  }
}

/** The bytes of a video's thumbnail; 0 if it has none, undefined if the video is gone. */
type ThumbnailBytes = number | undefined;

/**
 * Updates the row to the thumbnail that R2 has, whichever consumer put it. Moves it to the key of the row's visibility. Removes the thumbnail
 * of a deleted video. Idempotent.
 */
async function finishThumbnail(
  { uploadId, version }: { readonly uploadId: string; readonly version: string },
  stores: AccountStores,
): Promise<ThumbnailBytes> {
  const { accountId, library, files } = stores;
  const path = thumbnailKey(accountId, version);
  const video = { accountId, id: uploadId, version };
  const object = await findFirst(everyKey(path), files);
  // The mark of a takedown that began after R2 was read is no thumbnail.
  if (object === undefined || isTakenDown(object)) return finishMissing(video, stores);
  const facts = { ...readFactsMetadata(object.customMetadata), ...readPlaceholderMetadata(object.customMetadata) };
  const visibility = await recordThumbnail(library, video, object.size, facts);
  if (visibility === undefined) {
    await files.delete(everyKey(path));
    return finishMissing(video, stores);
  }
  const key = keyAs(path, visibility);
  if (object.key !== key) {
    await copyObject(files, object.key, key);
    await files.delete(object.key);
  }
  return object.size;
}

async function findFirst(keys: readonly string[], files: R2Bucket): Promise<R2Object | undefined> {
  for (const key of keys) {
    const object = await files.head(key);
    if (object !== null) return object;
  }
  return undefined;
}

/** A video that never had a thumbnail costs no write. If its bytes were replaced, their thumbnail may be there. */
async function finishMissing(video: VideoBytes, stores: AccountStores): Promise<ThumbnailBytes> {
  const { accountId, id, version } = video;
  const row = await findUpload(stores.library, accountId, id);
  if (row === undefined) return undefined;
  const current = versionOf(row.objectKey);
  if (current !== version) return finishThumbnail({ uploadId: id, version: current }, stores);
  if (row.thumbnailSizeBytes !== null) await recordThumbnail(stores.library, video, null, {});
  return 0;
}
