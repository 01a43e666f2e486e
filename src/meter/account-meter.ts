import { DurableObject } from "cloudflare:workers";
import { findAccount, insertAccount } from "../db/directory/accounts.ts";
import { type Directory, openDirectory } from "../db/directory/directory.ts";
import type { Account, Key } from "../db/directory/schema.ts";
import { openLibraries } from "../db/library/libraries.ts";
import { putLibrary } from "../db/library/library-state.ts";
import type { Upload } from "../db/library/schema.ts";
import type { AccountSettings } from "../domain/account-settings.ts";
import type { DeliveryOutcome } from "../domain/alerts.ts";
import { secondsUntil } from "../domain/calendar.ts";
import { accountMarker } from "../domain/object-key.ts";
import { PIECES_PER_MINUTE } from "../domain/resumable.ts";
import type { Shard } from "../domain/shard.ts";
import { TIERS } from "../domain/tiers.ts";
import type { View } from "../domain/view-pack.ts";
import { retry } from "../isolate/retry.ts";
import { retryBucket } from "../isolate/retry-bucket.ts";
import { retryQueue } from "../isolate/retry-queue.ts";
import { AccountBooks } from "./account-books.ts";
import type { BegunDelivery, Delivery, DueDelivery, ListedAlert } from "./alert-store.ts";
import type {
  Admission,
  ClaimAnswer,
  Credential,
  Deletion,
  Erasure,
  Growth,
  IntentRetry,
  IntentSummary,
  MoveProgress,
  Refused,
  Reservation,
  ThumbnailReservation,
} from "./answers.ts";
import type { AccountFigures } from "./figures.ts";
import {
  type DeleteIntent,
  type Intent,
  intentId,
  type NewUploadKey,
  toUploadKey,
  type UploadIntent,
  uploadIntentId,
} from "./intent.ts";
import { IntentRunner, type ThumbnailSettlement } from "./intent-runner.ts";
import type { IntentStores } from "./intent-stores.ts";
import type { KeyRequests } from "./key-requests.ts";
import { LibraryMover, MOVE_ID } from "./library-mover.ts";
import type { LogPosition } from "./newest-views.ts";
import type { OperationDay } from "./operation-days.ts";
import { type LogFilter, type Operation, uploadOperationId } from "./operation-log.ts";
import { OverdueIntents } from "./overdue-intents.ts";
import { toLoggedRow, uploadOperation } from "./perform-intent.ts";
import { RateWindow } from "./rate-window.ts";
import { type LogPage, type LogSlice, readLog } from "./read-log.ts";
import { eraseAgain } from "./reconcile/erase-again.ts";
import type { ReconcileOrder, ReconcileStep } from "./reconcile/finding.ts";
import { reconcileAccount } from "./reconcile/reconcile-account.ts";
import type { Claim, ClaimedResult } from "./request-claims.ts";
import type {
  Finish,
  NewResumable,
  ReceivedPart,
  ResumableClaim,
  ResumableCompletion,
  ResumableCreation,
  ResumableOpening,
  ResumableWrite,
  UnfinishedUpload,
} from "./resumable-answers.ts";
import type { Resumable, ResumableFile } from "./resumable-store.ts";
import { Resumables } from "./resumables.ts";
import { retryStub } from "./retry-stub.ts";
import { sendDueAlerts } from "./send-due-alerts.ts";
import { sendsEmail } from "./sends-email.ts";
import { SERVICE_METER_NAME } from "./service-meter.ts";
import { endClaim, takeClaim } from "./take-claim.ts";
import { TOMBSTONE_MS } from "./tombstone.ts";
import type { ViewPack } from "./view-packs.ts";
import type { StoredWebhook } from "./webhook-store.ts";

/** Over the month's operations, requests with a key run at this part of the tier's rate. */
const THROTTLED_SHARE = 10;

/**
 * What must be exact and serial for one account: the rate window, the month's operations, storage used, the operation log,
 * credentials that live, and intents. RPC methods answer tagged unions, as an error loses its class on the way. All sizes
 * are bytes, all times milliseconds since the epoch.
 */
export class AccountMeter extends DurableObject<Env> {
  readonly #window: RateWindow;
  readonly #pieces: RateWindow;
  readonly #books: AccountBooks;
  readonly #runner: IntentRunner;
  readonly #mover: LibraryMover;
  readonly #overdue: OverdueIntents;
  readonly #resumables: Resumables;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#window = new RateWindow(state.storage.kv);
    this.#pieces = new RateWindow(state.storage.kv, "pieces-window");
    this.#books = new AccountBooks(state.storage, { sendsEmail: () => sendsEmail(this.env) });
    const options = {
      storage: state.storage,
      books: this.#books,
      openStores: () => this.#stores(),
      timeoutMs: () => this.#timeoutMs(),
    };
    this.#mover = new LibraryMover(options);
    this.#overdue = new OverdueIntents(state.storage.kv);
    this.#runner = new IntentRunner({ ...options, mover: this.#mover, overdue: this.#overdue });
    this.#resumables = new Resumables({
      ...options,
      figures: () => this.#figures(Date.now()),
      keepsUploadsOut: () => this.#mover.keepsUploadsOut,
      goOn: (id) => this.#runner.goOn(id),
    });
  }

  /**
   * Authenticates and admits one request: the only call before a handler.
   * @param isOperation whether the request asks for an operation of class A
   * @param isPiece whether it is about an unfinished upload: these have a minute's limit of their own
   */
  async admit(credential: Credential, isOperation = false, isPiece = false): Promise<Admission> {
    if (!(await this.#load())) return { outcome: "refused" };
    const now = Date.now();
    if (!this.#lives(credential, now)) return { outcome: "refused" };
    const limit = isPiece ? PIECES_PER_MINUTE : this.#ratePerMinute(credential, now);
    const window = isPiece ? this.#pieces : this.#window;
    const admitted = window.take(now, limit);
    const rate = window.figures(now, limit);
    const { settings, shard } = this.#ledger;
    const facts = { rate, figures: this.#figures(now), settings, shard };
    if (!admitted && isOperation && this.#isExhausted(now)) return { ...this.#exhausted(now), ...facts };
    if (!admitted) return { outcome: "limited", retryAfterSeconds: secondsUntil(rate.resetAt, now), ...facts };
    if (credential.kind === "key") this.#credentials.noteKeyUse(credential.keyId, now);
    return { outcome: "admitted", ...facts };
  }

  /**
   * Announces an upload and sets storage aside for it: `maximumBytes` if there is as much, else what is left, as long as
   * that is at least `minimumBytes` (for a file whose size is known both are the same). With a minimum of 0, for an image
   * that is judged by what it is compressed to, it is all or nothing: it keeps no room from others that may not suffice.
   */
  async reserve(intent: UploadIntent, minimumBytes: number, maximumBytes: number): Promise<Reservation> {
    const now = Date.now();
    if (!(await this.#load()) || this.#books.erasing) return { outcome: "refused" };
    const id = intentId(intent);
    if (!this.#books.mayBegin(now, id)) return this.#exhausted(now);
    const figures = this.#figures(now);
    if (this.#mover.keepsUploadsOut) return { outcome: "moving", figures };
    // A call that is made again has set aside what it asks for already, and so has an upload that came in pieces.
    const resumable = this.#books.resumables.find(intent.uploadId);
    const heldBytes = (this.#intents.find(id)?.reservedBytes ?? 0) + (resumable?.reservedBytes ?? 0);
    const freeBytes = this.#books.freeBytes + heldBytes;
    if (freeBytes <= 0 || freeBytes < minimumBytes) return { outcome: "storage-full", figures };
    const reservedBytes = minimumBytes === 0 && maximumBytes > freeBytes ? 0 : Math.min(maximumBytes, freeBytes);
    this.ctx.storage.transactionSync(() => {
      const keyId = resumable === undefined ? intent.keyId : resumable.facts.keyId;
      this.#intents.put({ ...intent, keyId }, reservedBytes, now + this.#timeoutMs());
      this.#books.resumables.clearReservation(intent.uploadId);
    });
    await this.#runner.scheduleAlarm();
    return { outcome: "reserved", reservedBytes, figures };
  }

  /** Says whether a request that bears an idempotency key is to be carried out. @param fingerprint what tells it from another one */
  async claim(claim: Claim, fingerprint: string): Promise<ClaimAnswer> {
    if (!(await this.#load()) || this.#books.erasing) return { outcome: "refused" };
    return takeClaim(claim, fingerprint, { books: this.#books, runner: this.#runner, timeoutMs: this.#timeoutMs() });
  }

  /** A claimed request has ended without a file that is stored, or failed: it may be made anew. */
  async endClaim(claim: Claim): Promise<void> {
    this.ctx.storage.transactionSync(() => endClaim(claim, this.#books));
  }

  /**
   * A sign of life of uploads under way, and of the request that brings them; names R2's multipart upload where one was
   * begun.
   */
  async renew(
    uploadIds: readonly string[],
    multipart?: { uploadId: string; multipartUploadId: string },
    claim?: Claim,
  ): Promise<void> {
    const dueAt = Date.now() + this.#timeoutMs();
    if (claim !== undefined) this.#books.claims.renew(claim, dueAt);
    for (const uploadId of uploadIds) this.#intents.renew(uploadIntentId(uploadId), dueAt);
    if (multipart !== undefined) {
      this.#intents.renew(uploadIntentId(multipart.uploadId), dueAt, multipart.multipartUploadId);
    }
  }

  /**
   * Sets more storage aside for an upload under way: `wantedBytes` in total if there is as much, else what there is, as long
   * as that is at least `minimumBytes` in total. What it has it keeps in any case. A sign of life, too.
   */
  async grow(uploadId: string, minimumBytes: number, wantedBytes: number): Promise<Growth> {
    const id = uploadIntentId(uploadId);
    const now = Date.now();
    this.#intents.renew(id, now + this.#timeoutMs());
    await this.#runner.finishReplay(id);
    const found = this.#intents.find(id);
    if (this.#books.erasing || this.#books.tombstone.erasedAt !== undefined) return { outcome: "refused" };
    if (found === undefined) return { outcome: "gone" };
    const availableBytes = found.reservedBytes + this.#books.freeBytes;
    const reservedBytes = Math.max(found.reservedBytes, Math.min(wantedBytes, availableBytes));
    if (reservedBytes < minimumBytes) return { outcome: "storage-full", figures: this.#figures(now) };
    this.#intents.grow(id, reservedBytes);
    return { outcome: "grown", reservedBytes };
  }

  /** An upload has all its bytes: what it reserved beyond them is free again. */
  async shrink(uploadId: string, sizeBytes: number): Promise<void> {
    this.#intents.shrink(uploadIntentId(uploadId), sizeBytes);
  }

  /**
   * Settles uploads whose bytes and rows are stored: storage, operation and intent in one transaction. Those that an alarm
   * had undone before are returned as `missing`; those that it had kept are settled already. The log keeps `row`.
   * @param claimed what to answer whoever sends the same request again. Where another one has taken its place, all are `missing`
   */
  async settleUploads(
    stored: readonly { readonly uploadId: string; readonly sizeBytes: number; readonly row?: Upload }[],
    claimed?: { readonly claim: Claim; readonly results: readonly ClaimedResult[] },
  ): Promise<{ missing: string[]; figures: AccountFigures | undefined }> {
    for (const { uploadId } of stored) await this.#runner.finishReplay(uploadIntentId(uploadId));
    const now = Date.now();
    const missing: string[] = [];
    this.ctx.storage.transactionSync(() => {
      const isTakenOver = claimed !== undefined && !this.#books.claims.isHeldBy(claimed.claim);
      for (const { uploadId, sizeBytes, row } of stored) {
        const found = this.#intents.find(uploadIntentId(uploadId));
        if (isTakenOver && found !== undefined) this.#intents.remove(found.id);
        if (this.#books.erasing || (isTakenOver && found !== undefined)) missing.push(uploadId);
        else if (found?.intent.kind === "upload")
          this.#books.settle(found, {
            storageBytes: sizeBytes,
            operation: uploadOperation(found.intent, row && toLoggedRow(row)),
            done: true,
          });
        else if (!this.#ledger.log.has(uploadOperationId(uploadId))) missing.push(uploadId);
      }
      if (claimed !== undefined && missing.length < stored.length) {
        const results = claimed.results.filter((result) => "failed" in result || !missing.includes(result.uploadId));
        this.#books.claims.settle(claimed.claim, results, now);
      }
    });
    return { missing, figures: this.#ledger.exists ? this.#figures(now) : undefined };
  }

  /**
   * Forgets uploads that left nothing in R2 and D1, and frees what they had reserved. One that the alarm had kept, as its
   * row was there for a while, is counted no more.
   */
  async release(uploadIds: readonly string[]): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      for (const uploadId of uploadIds) this.#books.release(uploadId);
    });
    for (const uploadId of uploadIds) {
      if (this.#books.thumbnails.has(uploadId)) await this.#runner.change({ kind: "thumbnail", uploadId });
    }
  }

  /** Announces an upload that will come in pieces (`Resumables`). */
  async createResumable(upload: NewResumable): Promise<ResumableCreation> {
    if (!(await this.#load()) || this.#books.erasing) return { outcome: "refused" };
    const now = Date.now();
    if (!this.#books.mayBegin(now)) return this.#exhausted(now);
    const created = this.#resumables.create(upload);
    await this.#runner.scheduleAlarm();
    return created;
  }

  /** Lets a request write to such an upload once no other does; waits for a few seconds at most. */
  async openResumable(uploadId: string, claim: ResumableClaim): Promise<ResumableOpening> {
    if (!(await this.#load()) || this.#books.erasing) return { outcome: "unknown" };
    return this.#resumables.open(uploadId, claim);
  }

  async beginResumable(uploadId: string, writer: string, file: ResumableFile): Promise<ResumableWrite> {
    return this.#resumables.begin(uploadId, writer, file);
  }

  async commitPart(uploadId: string, writer: string, received: ReceivedPart, release = false): Promise<ResumableWrite> {
    return this.#resumables.commitPart(uploadId, writer, received, release);
  }

  /** @param start where the bytes begin in the upload */
  async appendTail(
    uploadId: string,
    writer: string,
    start: number,
    pieces: readonly Uint8Array[],
    release = false,
  ): Promise<ResumableWrite> {
    return this.#resumables.appendTail(uploadId, writer, start, pieces, release);
  }

  /** @returns pieces of about so many bytes in all; none at the tail's end */
  async readTail(uploadId: string, start: number, bytes: number): Promise<Uint8Array[]> {
    return this.#resumables.readTail(uploadId, start, bytes);
  }

  async renewResumable(uploadId: string, writer: string): Promise<ResumableWrite> {
    return this.#resumables.renew(uploadId, writer);
  }

  async releaseResumable(uploadId: string, writer: string): Promise<ResumableWrite> {
    return this.#resumables.release(uploadId, writer);
  }

  /** All bytes of such an upload are there: from here on it is finished, never undone. */
  async completeResumable(uploadId: string, writer: string, finish: Finish): Promise<ResumableCompletion> {
    if (!(await this.#load()) || this.#books.erasing) return { outcome: "lost" };
    const completion = await this.#resumables.complete(uploadId, writer, finish);
    await this.#runner.scheduleAlarm();
    return completion;
  }

  /** Without disturbing whoever writes to it. */
  async findResumable(uploadId: string): Promise<Resumable | undefined> {
    return (await this.#load()) && !this.#books.erasing ? this.#resumables.find(uploadId) : undefined;
  }

  /** At most 100, newest first. */
  async listResumables(): Promise<UnfinishedUpload[]> {
    return (await this.#load()) ? this.#resumables.list() : [];
  }

  /** Drops such an upload, unless it is finished already. */
  async removeResumable(uploadId: string): Promise<"removed" | "unknown" | "held"> {
    if (!(await this.#load())) return "unknown";
    try {
      return await this.#resumables.remove(uploadId);
    } finally {
      await this.#runner.scheduleAlarm();
    }
  }

  /** The same by its writer. */
  async discardResumable(uploadId: string, writer: string): Promise<void> {
    await this.#resumables.discard(uploadId, writer);
    await this.#runner.scheduleAlarm();
  }

  /** Deletes an upload for good: row, file and thumbnail; frees its storage and counts the operation, exactly once. */
  async deleteUpload(upload: {
    readonly uploadId: string;
    readonly objectKey: string;
    readonly sizeBytes: number;
    readonly keyId: string | null;
  }): Promise<Deletion> {
    const now = Date.now();
    if (!(await this.#load()) || this.#books.erasing) return { outcome: "refused" };
    if (this.#intents.find(uploadIntentId(upload.uploadId)) !== undefined) {
      // Its row is there, so it counts as stored before it goes.
      const { missing } = await this.settleUploads([upload]);
      if (missing.length > 0) return { outcome: "gone", figures: this.#figures(now) };
    }
    const intent: DeleteIntent = { kind: "delete", ...upload };
    if (!this.#books.mayBegin(now, intentId(intent))) {
      // The same call, made again: what it has deleted may have been the month's last operation.
      return this.#books.isDeleted(upload.uploadId)
        ? { outcome: "gone", figures: this.#figures(now) }
        : this.#exhausted(now);
    }
    const settled = await this.#runner.change(intent);
    return { outcome: settled ? "deleted" : "gone", figures: this.#figures(Date.now()) };
  }

  /**
   * Goes on with deleting a folder, for a bounded number of steps; the alarm goes on where nobody else does.
   * @returns whether it is gone
   */
  async deleteFolder(folderId: string): Promise<boolean> {
    if (!(await this.#load()) || this.#books.erasing) return true;
    const intent = { kind: "delete-folder", folderId } as const;
    await this.#runner.change(intent);
    return this.#intents.find(intentId(intent)) === undefined;
  }

  /** Announces a video's thumbnail and sets storage aside for it. */
  async reserveThumbnail(uploadId: string, sizeBytes: number): Promise<ThumbnailReservation> {
    if (!(await this.#load()) || this.#books.isDeleted(uploadId)) return "gone";
    if (this.#intents.find(uploadIntentId(uploadId)) !== undefined) return "unsettled";
    if (this.#books.thumbnails.has(uploadId)) return "counted";
    const intent = { kind: "thumbnail", uploadId } as const;
    if (this.#ledger.storageLimitBytes - this.#ledger.storageBytes < sizeBytes) return "storage-full";
    // What an earlier attempt has set aside passes to this one.
    const heldBytes = this.#intents.find(intentId(intent))?.reservedBytes ?? 0;
    if (this.#books.freeBytes + heldBytes < sizeBytes) return "storage-reserved";
    this.#intents.put(intent, sizeBytes, Date.now() + this.#timeoutMs());
    await this.#runner.scheduleAlarm();
    return "reserved";
  }

  /**
   * Counts a thumbnail as R2 holds it, once however often it is said, and has the catalogue say the same. The last of
   * several makers has the last word: whoever puts an object says so afterwards, or its intent or its message does.
   */
  async settleThumbnail(uploadId: string): Promise<ThumbnailSettlement> {
    if (!(await this.#load())) return "gone";
    return this.#runner.settleThumbnail(uploadId);
  }

  /** Counts views that came one by one, and packs of them; those recorded before are left out. */
  async recordViews(views: readonly View[], packs: readonly ViewPack[] = []): Promise<void> {
    if (!(await this.#load())) return;
    this.ctx.storage.transactionSync(() => this.#ledger.recordViews(views, packs, Date.now()));
    await this.#runner.scheduleAlarm();
  }

  /** Adds what an isolate has counted of the account's keys. @param batchId the same where it is sent again: it is added once */
  async recordKeyRequests(batchId: string, requests: readonly KeyRequests[]): Promise<void> {
    // One that is no more is not made again by what was counted of it.
    if (!this.#ledger.exists || this.#books.erasing) return;
    this.ctx.storage.transactionSync(() => this.#books.keyRequests.record(batchId, requests, Date.now()));
  }

  /** What a key asked for on these days (since the epoch, UTC), both included. */
  async listKeyRequests(keyId: string, fromDay: number, toDay: number): Promise<KeyRequests[]> {
    return this.#ledger.exists ? this.#books.keyRequests.list(keyId, fromDay, toDay) : [];
  }

  /**
   * Opens the account, with an upload key, and logs its owner in. Where that fails nothing of it is left, at once or by the alarm,
   * as its owner is told that there is none.
   * @param byInvitation whether the email has to have been invited
   * @returns false where the email is taken, or was not invited
   */
  async register(
    account: Account,
    uploadKey: Key,
    session: { readonly sessionId: string; readonly expiresAt: number },
    byInvitation = false,
  ): Promise<boolean> {
    // The same call, made again, may find all of it done.
    if (!this.#ledger.exists || this.#intents.find("register") !== undefined) {
      const registered = await this.#runner.register(
        () => {
          this.#ledger.create(account, Date.now());
          this.#credentials.setProfile(account);
          this.#credentials.setPassword(account.passwordHash);
          this.#credentials.learnKey(uploadKey);
        },
        async ({ directory, library, files, accountId }) => {
          await putLibrary(library, accountId, "here");
          if (!(await insertAccount(directory, account, uploadKey, { byInvitation }))) return false;
          await files.put(accountMarker(accountId), "");
          return true;
        },
      );
      if (!registered) return false;
    }
    this.#credentials.openSession(session.sessionId, Date.now(), session.expiresAt);
    return true;
  }

  /** Undoes an opening whose answer did not reach its caller: whoever asked for it is told that there is no account. */
  async unregister(): Promise<void> {
    if (!this.#ledger.exists) return;
    this.#intents.put({ kind: "register" }, 0, Date.now());
    await this.#runner.goOn("register");
  }

  /** Where the account's library is; undefined where the account is no more. */
  async locate(): Promise<Shard | undefined> {
    return (await this.#load()) && !this.#books.erasing ? this.#ledger.shard : undefined;
  }

  /** Goes on with moving the library to another shard, for a bounded time; the alarm goes on where nobody else does. */
  async moveLibrary(to: Shard): Promise<MoveProgress> {
    if (!(await this.#load()) || this.#books.erasing) return { outcome: "refused" };
    const known = this.#mover.begin(to);
    if (known !== undefined) return known;
    await this.#runner.goOn(MOVE_ID);
    return this.#mover.progress(to);
  }

  /**
   * Logs in whoever gave the password of this hash.
   * @returns false where that is not the account's password any more, or the account is no more
   */
  async openSession(sessionId: string, expiresAt: number, verifiedHash: string): Promise<boolean> {
    if (!(await this.#load()) || !(await this.#isPassword(verifiedHash)) || this.#books.erasing) return false;
    this.#credentials.openSession(sessionId, Date.now(), expiresAt);
    return true;
  }

  async endSession(sessionId: string): Promise<void> {
    this.#credentials.endSession(sessionId);
  }

  /** Keeps what a key is that the catalogue has by now: a catalogue restored to an earlier moment gets it back. */
  async learnKey(key: Key): Promise<void> {
    if ((await this.#load()) && !this.#books.erasing) this.#credentials.learnKey(key);
  }

  /** From this call on the key is refused; the catalogue follows. */
  async revokeKey(keyId: string): Promise<void> {
    if (!(await this.#load())) return;
    await this.#runner.change({ kind: "revoke-key", keyId }, () => this.#credentials.revokeKey(keyId));
  }

  /** When each key was last used, by key id, exact to the minute. */
  async keyUses(): Promise<Record<string, number>> {
    return this.#credentials.keyUses();
  }

  /**
   * Makes a key the only upload key: the ones before it are refused from now on. Of several calls at once the last one's
   * key lives.
   * @returns false where another key has taken its place meanwhile, or the account is no more
   */
  async replaceUploadKey(key: NewUploadKey): Promise<boolean> {
    if (!(await this.#load()) || this.#books.erasing) return false;
    await this.#runner.change({ kind: "replace-upload-key", key }, () => {
      this.#credentials.setUploadKey(key.id);
      this.#credentials.learnKey(toUploadKey(this.#ledger.accountId, key));
    });
    return this.#credentials.uploadKey === key.id;
  }

  /** @param change `uploadKey` is inserted where the account has none that lives */
  async setTier(change: Omit<Extract<Intent, { kind: "set-tier" }>, "kind">): Promise<void> {
    if (!(await this.#load())) return;
    // Only of an account that never replaced its upload key the catalogue knows whether one lives.
    const uploadKey = this.#credentials.uploadKey === undefined ? change.uploadKey : null;
    const intent: Intent = { kind: "set-tier", ...change, uploadKey };
    await this.#runner.change(intent, () => this.#ledger.setTier(change, Date.now()));
    if (change.uploadKey !== null && this.#credentials.uploadKey === null) {
      await this.replaceUploadKey(change.uploadKey);
    }
  }

  /**
   * A new password ends every session but the one it was set in.
   * @returns false where that session has ended meanwhile: its owner's right to do this was lost with it
   */
  async setPassword(passwordHash: string, sessionId: string): Promise<boolean> {
    if (!(await this.#load()) || !this.#lives({ kind: "session", sessionId }, Date.now())) return false;
    await this.#runner.change({ kind: "set-password", passwordHash }, () => {
      this.#credentials.setPassword(passwordHash);
      this.#credentials.endOtherSessions(sessionId);
    });
    return true;
  }

  /**
   * Changes settings, for future uploads.
   * @returns the settings from then on; undefined where the account is no more
   */
  async setSettings(change: Partial<AccountSettings>): Promise<AccountSettings | undefined> {
    if (!(await this.#load()) || this.#books.erasing) return undefined;
    const settings = { ...this.#ledger.settings, ...change };
    await this.#runner.change({ kind: "set-settings", settings }, () => this.#ledger.setSettings(settings));
    return settings;
  }

  /**
   * Erases the account: at once for its owner, to the last byte by the alarm where the library is large.
   * @returns how it stands; `refused` where the session in which it was asked for has ended meanwhile
   */
  async erase(sessionId: string): Promise<Erasure | Refused> {
    if (!(await this.#load())) return { outcome: "refused" };
    const begun = this.#intents.find("erase")?.intent;
    // The same call, made again: the session ended with it.
    if (begun?.kind === "erase" && begun.sessionId === sessionId) return this.#erasure ?? { outcome: "refused" };
    if (!this.#lives({ kind: "session", sessionId }, Date.now())) return { outcome: "refused" };
    await this.#runner.change({ kind: "erase", sessionId }, () => {
      this.#credentials.endOtherSessions(null);
      this.#intents.remove("move");
    });
    return this.#erasure ?? { outcome: "refused" };
  }

  /** How an erasure stands that was asked for; undefined where none was, or where that was so long ago that nothing is known of it. */
  async erasure(): Promise<Erasure | undefined> {
    return this.#erasure;
  }

  get #erasure(): Erasure | undefined {
    const { erasedAt } = this.#books.tombstone;
    if (erasedAt !== undefined) return { outcome: "erased", erasedAt };
    const intent = this.#intents.find("erase")?.intent;
    if (intent?.kind !== "erase") return undefined;
    const { emptiedAt } = intent;
    return emptiedAt === undefined ? { outcome: "erasing" } : { outcome: "erased", erasedAt: emptiedAt };
  }

  /** Operations of the last 90 days, newest first, from a place on. */
  async walkOperations(limit: number, before?: LogPosition): Promise<Operation[]> {
    return (await this.#load()) ? this.#ledger.log.list(limit, before) : [];
  }

  /** The figures without counting a request. Undefined where there is no such account. */
  async read(): Promise<AccountFigures | undefined> {
    return (await this.#load()) ? this.#figures(Date.now()) : undefined;
  }

  /** A page of the operations of the last 90 days, newest first. */
  async listOperations(filter: LogFilter, slice: LogSlice): Promise<LogPage> {
    if (!(await this.#load())) return { operations: [], total: 0, next: null };
    return readLog(() => this.#ledger.log, filter, slice);
  }

  /** What was counted on each day from one to another, both included (`dayOf`); days without anything are left out. */
  async listOperationDays(from: number, to: number): Promise<OperationDay[]> {
    return (await this.#load()) ? this.#ledger.listDays(from, to) : [];
  }

  /** The usage alerts of the last year, newest first. */
  async listAlerts(): Promise<ListedAlert[]> {
    return this.#ledger.alerts.list();
  }

  /** Where alerts are sent, with what is still to come of its last delivery. Undefined where nothing was set. */
  async findWebhook(): Promise<{ webhook: StoredWebhook; lastDelivery: Delivery | undefined } | undefined> {
    const { alerts } = this.#ledger;
    const webhook = alerts.webhook.find();
    if (webhook === undefined) return undefined;
    const lastDelivery = webhook.last === null ? undefined : alerts.findDelivery(webhook.last.alertId, "webhook");
    return { webhook, lastDelivery };
  }

  /**
   * From this call on alerts are sent there, those too that the webhook before did not take.
   * @returns false where the account is no more
   */
  async putWebhook(webhook: Pick<StoredWebhook, "id" | "url">): Promise<boolean> {
    if (!(await this.#load()) || this.#books.erasing) return false;
    this.ctx.storage.transactionSync(() => this.#ledger.alerts.putWebhook(webhook, Date.now()));
    return true;
  }

  /** From this call on alerts are sent nowhere. */
  async deleteWebhook(): Promise<void> {
    this.ctx.storage.transactionSync(() => this.#ledger.alerts.deleteWebhook());
  }

  /** Begins an attempt to deliver an alert. Undefined where it was begun before, or there is nothing to deliver any more. */
  async beginDelivery(delivery: DueDelivery): Promise<BegunDelivery | undefined> {
    if (!this.#ledger.exists || this.#books.erasing) return undefined;
    return this.ctx.storage.transactionSync(() => this.#ledger.alerts.begin(delivery, Date.now()));
  }

  /** Notes what became of the attempt; the alarm announces the next one. @param webhookId where it was made to one */
  async endDelivery(delivery: DueDelivery, outcome: DeliveryOutcome, webhookId: string | undefined): Promise<void> {
    if (!this.#ledger.exists) return;
    this.ctx.storage.transactionSync(() => this.#ledger.alerts.end(delivery, outcome, webhookId, Date.now()));
    await this.#runner.scheduleAlarm();
  }

  /** The intents that are not settled, those that are due first. */
  async listIntents(limit: number): Promise<IntentSummary[]> {
    return this.#intents.list(limit).map(({ id, intent, dueAt, attempts }) => ({
      ...{ id, kind: intent.kind, dueAt, attempts },
      reason: this.#overdue.reasonOf(id) ?? null,
    }));
  }

  /** Replays an intent at once whose time is up or whose replay failed, and tells the operator's listing what came of it. */
  async retryIntent(id: string): Promise<IntentRetry> {
    const accountId = this.#ledger.exists ? this.#ledger.accountId : this.ctx.id.name;
    const stored = this.#intents.find(id);
    if (stored !== undefined && stored.attempts === 0 && stored.dueAt > Date.now()) return { outcome: "under-way" };
    if (stored !== undefined) await this.#runner.replayNow(id);
    // Also where nothing is known here: the listing may have what another way has settled.
    if (accountId !== undefined) await this.#reportOverdue(accountId);
    const reason = this.#intents.find(id) === undefined ? undefined : this.#overdue.reasonOf(id);
    if (reason !== undefined) return { outcome: "failed", reason };
    return { outcome: stored === undefined ? "gone" : "done" };
  }

  /**
   * Goes on with comparing what the stores have of the account, for one bounded step, and repairs what is safe where that is ordered.
   * Steps of different calls do each other no harm.
   */
  async reconcile({ from, places, repair, orphanAgeMs }: ReconcileOrder): Promise<ReconcileStep> {
    const { erasedAt } = this.#books.tombstone;
    if (erasedAt !== undefined) return eraseAgain(this.#storesOf({ id: this.ctx.id.name ?? "" }), { places, repair });
    if (!(await this.#load())) return { outcome: "unknown" };
    const stores = this.#stores();
    return reconcileAccount({ stores, books: this.#books, runner: this.#runner, repair, orphanAgeMs }, from, places);
  }

  /** Sends alerts on their way, and replays intents that nobody settled in time. */
  override async alarm(): Promise<void> {
    if (await this.#forgetTombstone()) return;
    // It may be forgotten at the end.
    const accountId = this.#ledger.exists ? this.#ledger.accountId : undefined;
    if (this.#ledger.exists) await sendDueAlerts(this.#books, retryQueue(this.env.ALERTS));
    if (this.#books.erasing) await this.#resumables.dropAll();
    await this.#runner.replayDue();
    if (this.#ledger.exists) await this.#resumables.sweep();
    if (this.#ledger.exists) this.#ledger.prune(Date.now());
    this.#books.claims.prune(Date.now());
    await this.#runner.scheduleAlarm();
    if (accountId === undefined || !this.#overdue.hasNews) return;
    await this.#reportOverdue(accountId);
    const mustTellAgain = this.#overdue.hasNews && this.#ledger.exists;
    if (mustTellAgain && (await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(Date.now() + this.#timeoutMs());
    }
  }

  async #reportOverdue(accountId: string): Promise<void> {
    const service = retryStub(() => this.env.SERVICE_METER.getByName(SERVICE_METER_NAME));
    await this.#overdue.report(
      (id) => this.#intents.find(id),
      (intents) => service.reportIntents(accountId, intents),
    );
  }

  /**
   * Takes the account's facts from the catalogue where the object does not know them yet. What another call has learnt or
   * changed while the catalogue was read stands. False where there is no such account.
   */
  async #load(): Promise<boolean> {
    if (this.#ledger.exists) return true;
    // A directory that was restored may have the account still.
    if (this.#books.tombstone.erasedAt !== undefined) return false;
    const { name } = this.ctx.id;
    const account = name === undefined ? undefined : await findAccount(this.#directory, name);
    if (account === undefined) return this.#ledger.exists;
    this.#ledger.create(account, Date.now());
    this.#credentials.setProfile(account);
    if (this.#credentials.passwordDigest === undefined) this.#credentials.setPassword(account.passwordHash);
    return true;
  }

  /** @returns whether there is a tombstone: then nothing else is left to do here */
  async #forgetTombstone(): Promise<boolean> {
    const { erasedAt } = this.#books.tombstone;
    if (erasedAt === undefined) return false;
    if (erasedAt + TOMBSTONE_MS > Date.now()) await this.ctx.storage.setAlarm(erasedAt + TOMBSTONE_MS);
    else await this.#books.forget();
    return true;
  }

  /**
   * Whether this is the hash of the account's password. Where it is not, the catalogue was restored to an earlier one, and is told.
   * An object that is older than its copy of the hash knows a digest at most: then the catalogue has the last word.
   */
  async #isPassword(passwordHash: string): Promise<boolean> {
    if (this.#credentials.isPassword(passwordHash)) return true;
    const pending = this.#intents.find("set-password")?.intent;
    if (pending?.kind === "set-password") return pending.passwordHash === passwordHash;
    const { passwordDigest } = this.#credentials;
    const account = await findAccount(this.#directory, this.#ledger.accountId);
    const wasChanged = this.#credentials.passwordDigest !== passwordDigest;
    if (wasChanged || account?.passwordHash !== passwordHash) return this.#credentials.isPassword(passwordHash);
    const known = this.#credentials.passwordHash;
    if (known !== undefined) {
      await this.#runner.change({ kind: "set-password", passwordHash: known });
      return false;
    }
    this.#credentials.setPassword(passwordHash);
    return true;
  }

  get #directory(): Directory {
    return openDirectory(this.env, retry);
  }

  #lives(credential: Credential, now: number): boolean {
    if (this.#books.erasing) return false;
    if (credential.kind === "session") return this.#credentials.sessionLives(credential.sessionId, now);
    const { keyId, keyKind } = credential;
    return keyKind === TIERS[this.#ledger.tier].keyKind && this.#credentials.keyLives(keyId, keyKind);
  }

  /** Sessions keep the whole rate over the month's operations, so that people can see why, and reach their files. */
  #ratePerMinute({ kind }: Credential, now: number): number {
    const rate = TIERS[this.#ledger.tier].requestsPerMinute;
    return kind === "key" && this.#isExhausted(now) ? Math.max(1, Math.floor(rate / THROTTLED_SHARE)) : rate;
  }

  #isExhausted(now: number): boolean {
    return this.#ledger.usedTenths(now) >= this.#ledger.operationsLimit * 10;
  }

  #exhausted(now: number) {
    const figures = this.#figures(now);
    const retryAfterSeconds = secondsUntil(figures.operationsResetAt, now);
    return { outcome: "operations-exhausted", retryAfterSeconds, figures } as const;
  }

  #figures(now: number): AccountFigures {
    return {
      tier: this.#ledger.tier,
      operationsUsedTenths: this.#ledger.usedTenths(now),
      classBTenths: this.#ledger.classBTenths(now),
      operationsLimit: this.#ledger.operationsLimit,
      operationsResetAt: this.#ledger.operationsResetAt(now),
      storageUsedBytes: this.#ledger.storageBytes,
      storageLimitBytes: this.#ledger.storageLimitBytes,
    };
  }

  #stores(): IntentStores {
    return this.#storesOf(this.#ledger.state);
  }

  #storesOf({ id: accountId, shard = "00" }: { readonly id: string; readonly shard?: Shard }): IntentStores {
    const books = this.#books;
    const libraries = openLibraries(this.env, retry);
    return {
      accountId,
      directory: this.#directory,
      libraries,
      get shard() {
        return books.ledger.shard;
      },
      library: libraries.open(shard, async () => books.ledger.shard),
      files: retryBucket(this.env.FILES),
      uploadEvents: retryQueue(this.env.UPLOADS),
      now: Date.now(),
    };
  }

  get #ledger() {
    return this.#books.ledger;
  }

  get #intents() {
    return this.#books.intents;
  }

  get #credentials() {
    return this.#books.credentials;
  }

  #timeoutMs(): number {
    return Number(this.env.INTENT_TIMEOUT_SECONDS) * 1000;
  }
}
