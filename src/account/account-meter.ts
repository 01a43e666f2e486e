import { DurableObject } from "cloudflare:workers";
import { openDb } from "../db/client.ts";
import { findAccount } from "../db/queries/accounts.ts";
import { secondsUntil } from "../domain/calendar.ts";
import { CLASS_A_TENTHS, type OperationType } from "../domain/operations.ts";
import { type KeyKind, TIERS } from "../domain/tiers.ts";
import { CredentialStore } from "./credential-store.ts";
import type { AccountFigures } from "./figures.ts";
import { finishThumbnail } from "./finish-thumbnail.ts";
import { type Intent, intentId, type UploadIntent } from "./intent.ts";
import { IntentStore, type StoredIntent } from "./intent-store.ts";
import { Ledger } from "./ledger.ts";
import {
  deleteOperationId,
  type IntentEffect,
  type IntentStores,
  performIntent,
  uploadOperation,
} from "./perform-intent.ts";
import { RateWindow } from "./rate-window.ts";
import { ThumbnailLedger } from "./thumbnail-ledger.ts";
import { Turns } from "./turns.ts";

/** Over the month's operations, requests run at this part of the tier's rate. */
const THROTTLED_SHARE = 10;
/** Intents that one alarm replays; the next alarm follows at once if there are more. */
const REPLAYS_PER_ALARM = 50;
const MAX_BACKOFF_MS = 60 * 60_000;

export type Credential =
  | { readonly kind: "key"; readonly keyId: string; readonly keyKind: KeyKind }
  | { readonly kind: "session"; readonly sessionId: string };

export type Admission =
  | { readonly outcome: "admitted"; readonly figures: AccountFigures }
  | { readonly outcome: "limited"; readonly retryAfterSeconds: number; readonly figures: AccountFigures }
  /** Or the credential no longer lives, or is not of the tier's kind. */
  | Refused;

/** There is no such account any more. */
interface Refused {
  readonly outcome: "refused";
}

interface Exhausted {
  readonly outcome: "operations-exhausted";
  readonly retryAfterSeconds: number;
  readonly figures: AccountFigures;
}

export type Reservation =
  | Refused
  | Exhausted
  | { readonly outcome: "reserved"; readonly reservedBytes: number; readonly figures: AccountFigures }
  | { readonly outcome: "storage-full"; readonly figures: AccountFigures };

export type Deletion = Refused | Exhausted | { readonly outcome: "deleted" | "gone"; readonly figures: AccountFigures };

/** `gone`: there is no such upload any more. `unsettled`: it may yet be undone. `counted`: its thumbnail is there already. */
export type ThumbnailReservation = "reserved" | "counted" | "storage-full" | "unsettled" | "gone";

/** `missing`: the upload has none. `gone`: there is no such upload any more. */
export type ThumbnailSettlement = "counted" | "missing" | "gone";

export interface ViewRecord {
  /** The queue message's id: a message delivered twice is one view. */
  readonly id: string;
  readonly at: number;
  readonly resourceId: string;
}

/**
 * What must be exact and serial for one account: the rate window, the month's operations, storage used, the operation log,
 * credentials that live, and intents. RPC methods answer tagged unions, as an error loses its class on the way. All sizes
 * are bytes, all times milliseconds since the epoch.
 */
export class AccountMeter extends DurableObject<Env> {
  readonly #window = new RateWindow();
  /** Replays under way, by intent. */
  readonly #replays = new Map<string, Promise<boolean>>();
  readonly #thumbnailTurns = new Turns();
  #ledger: Ledger;
  #intents: IntentStore;
  #credentials: CredentialStore;
  #thumbnails: ThumbnailLedger;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#ledger = new Ledger(state.storage.sql);
    this.#intents = new IntentStore(state.storage.sql);
    this.#credentials = new CredentialStore(state.storage.sql);
    this.#thumbnails = new ThumbnailLedger(state.storage.sql);
  }

  /** Authenticates and admits one request: the only call before a handler. */
  async admit(credential: Credential): Promise<Admission> {
    const now = Date.now();
    if (!(await this.#load()) || !this.#lives(credential, now)) return { outcome: "refused" };
    const limit = this.#ratePerMinute(now);
    if (!this.#window.take(now, limit)) {
      const figures = this.#figures(now);
      return { outcome: "limited", retryAfterSeconds: secondsUntil(figures.rate.resetAt, now), figures };
    }
    if (credential.kind === "key") this.#credentials.noteKeyUse(credential.keyId, now);
    return { outcome: "admitted", figures: this.#figures(now) };
  }

  /**
   * Announces an upload and sets storage aside for it: `maximumBytes` if there is as much, else what is left, as long as
   * that is at least `minimumBytes` (for a file whose size is known both are the same).
   */
  async reserve(intent: UploadIntent, minimumBytes: number, maximumBytes: number): Promise<Reservation> {
    const now = Date.now();
    if (!(await this.#load()) || this.#erasing()) return { outcome: "refused" };
    const pending = this.#intents.pending();
    const figures = this.#figures(now);
    if (this.#ledger.usedTenths(now) + pending.uploads * CLASS_A_TENTHS >= this.#ledger.operationsLimit * 10) {
      return this.#exhausted(now);
    }
    const freeBytes = this.#freeBytes();
    if (freeBytes <= 0 || freeBytes < minimumBytes) return { outcome: "storage-full", figures };
    const reservedBytes = Math.min(maximumBytes, freeBytes);
    this.#intents.put(intent, reservedBytes, now + this.#timeoutMs());
    await this.#scheduleAlarm();
    return { outcome: "reserved", reservedBytes, figures };
  }

  /** A sign of life of uploads under way; names R2's multipart upload where one was begun. */
  async renew(
    uploadIds: readonly string[],
    multipart?: { uploadId: string; multipartUploadId: string },
  ): Promise<void> {
    const dueAt = Date.now() + this.#timeoutMs();
    for (const uploadId of uploadIds) this.#intents.renew(`upload:${uploadId}`, dueAt);
    if (multipart !== undefined) {
      this.#intents.renew(`upload:${multipart.uploadId}`, dueAt, multipart.multipartUploadId);
    }
  }

  /** An upload has all its bytes: what it reserved beyond them is free again. */
  async shrink(uploadId: string, sizeBytes: number): Promise<void> {
    this.#intents.shrink(`upload:${uploadId}`, sizeBytes);
  }

  /**
   * Settles uploads whose bytes and rows are stored: storage, operation and intent in one transaction. Those that an alarm
   * had undone before are returned as `missing`; those that it had kept are settled already.
   */
  async settleUploads(
    stored: readonly { readonly uploadId: string; readonly sizeBytes: number }[],
  ): Promise<{ missing: string[]; figures: AccountFigures | undefined }> {
    for (const { uploadId } of stored) await this.#replayIfBegun(`upload:${uploadId}`);
    const now = Date.now();
    const missing: string[] = [];
    this.ctx.storage.transactionSync(() => {
      for (const { uploadId, sizeBytes } of stored) {
        const found = this.#intents.find(`upload:${uploadId}`);
        if (this.#erasing()) missing.push(uploadId);
        else if (found?.intent.kind === "upload")
          this.#settle(found, { storageBytes: sizeBytes, operation: uploadOperation(found.intent, now), done: true });
        else if (!this.#ledger.isRecorded(`upload:${uploadId}`)) missing.push(uploadId);
      }
    });
    return { missing, figures: this.#ledger.exists ? this.#figures(now) : undefined };
  }

  /** Forgets uploads that left nothing in R2 and D1, and frees what they had reserved. */
  async release(uploadIds: readonly string[]): Promise<void> {
    for (const uploadId of uploadIds) this.#intents.remove(`upload:${uploadId}`);
  }

  /** Deletes an upload for good: row, file and thumbnail; frees its storage and counts the operation, exactly once. */
  async deleteUpload(upload: {
    readonly uploadId: string;
    readonly objectKey: string;
    readonly sizeBytes: number;
    readonly keyId: string | null;
  }): Promise<Deletion> {
    const now = Date.now();
    if (!(await this.#load()) || this.#erasing()) return { outcome: "refused" };
    if (this.#ledger.usedTenths(now) >= this.#ledger.operationsLimit * 10) return this.#exhausted(now);
    const unsettled = this.#intents.find(`upload:${upload.uploadId}`);
    if (unsettled?.intent.kind === "upload") {
      // Its row is there, so it counts as stored before it goes.
      const { missing } = await this.settleUploads([upload]);
      if (missing.length > 0) return { outcome: "gone", figures: this.#figures(now) };
    }
    const settled = await this.#change({ kind: "delete", ...upload });
    return { outcome: settled ? "deleted" : "gone", figures: this.#figures(Date.now()) };
  }

  /** Announces a video's thumbnail and sets storage aside for it. */
  async reserveThumbnail(uploadId: string, sizeBytes: number): Promise<ThumbnailReservation> {
    if (!(await this.#load()) || this.#isDeleted(uploadId)) return "gone";
    if (this.#intents.find(`upload:${uploadId}`) !== undefined) return "unsettled";
    if (this.#thumbnails.has(uploadId)) return "counted";
    const intent = { kind: "thumbnail", uploadId } as const;
    // What an earlier attempt has set aside passes to this one.
    const heldBytes = this.#intents.find(intentId(intent))?.reservedBytes ?? 0;
    if (this.#freeBytes() + heldBytes < sizeBytes) return "storage-full";
    this.#intents.put(intent, sizeBytes, Date.now() + this.#timeoutMs());
    await this.#scheduleAlarm();
    return "reserved";
  }

  /**
   * Counts a thumbnail as R2 holds it, once however often it is said, and has the catalogue say the same. The last of
   * several makers has the last word: whoever puts an object says so afterwards, or its intent or its message does.
   */
  async settleThumbnail(uploadId: string): Promise<ThumbnailSettlement> {
    if (!(await this.#load())) return "gone";
    return this.#thumbnailTurns.take(uploadId, async () => {
      const sizeBytes = await finishThumbnail(uploadId, this.#stores());
      this.ctx.storage.transactionSync(() => {
        this.#intents.remove(intentId({ kind: "thumbnail", uploadId }));
        // Its upload may have been deleted meanwhile, and the thumbnail with it.
        this.#countThumbnail(uploadId, this.#isDeleted(uploadId) ? 0 : (sizeBytes ?? 0));
      });
      if (sizeBytes === undefined) return "gone";
      return sizeBytes > 0 ? "counted" : "missing";
    });
  }

  /** Counts views; those recorded before are left out. */
  async recordViews(views: readonly ViewRecord[]): Promise<void> {
    if (!(await this.#load())) return;
    const now = Date.now();
    const type: OperationType = "view";
    this.ctx.storage.transactionSync(() => {
      for (const view of views) this.#ledger.record({ ...view, type, keyId: null }, now);
    });
    await this.#scheduleAlarm();
  }

  async openSession(sessionId: string, expiresAt: number): Promise<void> {
    this.#credentials.openSession(sessionId, Date.now(), expiresAt);
  }

  async endSession(sessionId: string): Promise<void> {
    this.#credentials.endSession(sessionId);
  }

  /** From this call on the key is refused; the catalogue follows. */
  async revokeKey(keyId: string): Promise<void> {
    if (!(await this.#load())) return;
    await this.#change({ kind: "revoke-key", keyId }, () => this.#credentials.revokeKey(keyId));
  }

  /** When each key was last used, by key id, exact to the minute. */
  async keyUses(): Promise<Record<string, number>> {
    return this.#credentials.keyUses();
  }

  async setTier(change: Omit<Extract<Intent, { kind: "set-tier" }>, "kind">): Promise<void> {
    if (!(await this.#load())) return;
    await this.#change({ kind: "set-tier", ...change }, () => this.#ledger.setTier(change, Date.now()));
  }

  /** A new password ends every session but the one it was set in. */
  async setPassword(passwordHash: string, keptSessionId: string | null): Promise<void> {
    if (!(await this.#load())) return;
    await this.#change({ kind: "set-password", passwordHash }, () => this.#credentials.endOtherSessions(keptSessionId));
  }

  /** Erases the account: at once for its owner, to the last byte by the alarm where the library is large. */
  async erase(): Promise<void> {
    if (!(await this.#load())) return;
    await this.#change({ kind: "erase" }, () => this.#credentials.endOtherSessions(null));
  }

  /** The figures without counting a request. Undefined where there is no such account. */
  async read(): Promise<AccountFigures | undefined> {
    return (await this.#load()) ? this.#figures(Date.now()) : undefined;
  }

  /** Replays intents that nobody settled in time. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    for (const stored of this.#intents.listDue(now, REPLAYS_PER_ALARM)) {
      try {
        await this.#replay(stored);
      } catch (error) {
        console.error("An intent could not be replayed", stored.id, error);
        this.#intents.defer(stored.id, Date.now() + Math.min(MAX_BACKOFF_MS, this.#timeoutMs() * 2 ** stored.attempts));
      }
    }
    if (this.#ledger.exists) this.#ledger.pruneLog(now);
    await this.#scheduleAlarm();
  }

  /**
   * Announces a change, applies what of it is this object's own in the same transaction, carries it out in the other
   * stores and settles it. Where a store fails, the error reaches the caller and the alarm finishes the change.
   * @returns false where another call had settled it meanwhile
   */
  async #change(intent: Intent, applyHere: () => void = () => {}): Promise<boolean> {
    this.ctx.storage.transactionSync(() => {
      this.#intents.put(intent, 0, Date.now() + this.#timeoutMs());
      applyHere();
    });
    await this.#scheduleAlarm();
    return this.#perform({ id: intentId(intent), intent, reservedBytes: 0, dueAt: 0, attempts: 0 });
  }

  /** Replays an intent, or joins the replay that is under way. */
  #replay(stored: StoredIntent): Promise<boolean> {
    const running = this.#replays.get(stored.id);
    if (running !== undefined) return running;
    const replay = this.#perform(stored).finally(() => this.#replays.delete(stored.id));
    this.#replays.set(stored.id, replay);
    return replay;
  }

  /**
   * An intent whose time ran out may be undone in part, by a replay that is under way, failed or was cut short: only
   * another one can tell what is left.
   */
  async #replayIfBegun(id: string): Promise<void> {
    const found = this.#intents.find(id);
    if (found !== undefined && (found.attempts > 0 || found.dueAt <= Date.now())) await this.#replay(found);
  }

  async #perform(stored: StoredIntent): Promise<boolean> {
    const { intent } = stored;
    if (intent.kind === "thumbnail") return (await this.settleThumbnail(intent.uploadId)) === "counted";
    const effect = await performIntent(intent, this.#stores());
    if (intent.kind === "erase") {
      await this.#continueErasing(stored, effect);
      return true;
    }
    return this.ctx.storage.transactionSync(() => this.#settle(stored, effect));
  }

  #settle({ id, intent }: StoredIntent, { operation, storageBytes }: IntentEffect): boolean {
    if (!this.#intents.remove(id)) return false;
    // The log knows what was counted before: a delete that two requests began frees its bytes once.
    if (operation !== null && !this.#ledger.record(operation, Date.now())) return false;
    this.#ledger.addStorage(storageBytes);
    if (intent.kind === "delete") this.#countThumbnail(intent.uploadId, 0);
    return true;
  }

  #countThumbnail(uploadId: string, sizeBytes: number): void {
    this.#ledger.addStorage(this.#thumbnails.set(uploadId, sizeBytes));
  }

  #isDeleted(uploadId: string): boolean {
    return this.#erasing() || this.#ledger.isRecorded(deleteOperationId(uploadId));
  }

  #freeBytes(): number {
    return this.#ledger.storageLimitBytes - this.#ledger.storageBytes - this.#intents.pending().reservedBytes;
  }

  /**
   * An upload that was under way may still put its file after the first complete pass. So the object forgets itself only
   * after a second one, when every such upload has run into its timeout.
   */
  async #continueErasing({ id, attempts }: StoredIntent, { done }: IntentEffect): Promise<void> {
    const secondPass = attempts > 0;
    if (!done) {
      this.#intents.renew(id, Date.now());
    } else if (!secondPass || this.#intents.pending().uploads > 0) {
      this.#intents.defer(id, Date.now() + 2 * this.#timeoutMs());
    } else {
      await this.ctx.storage.deleteAll();
      this.#ledger = new Ledger(this.ctx.storage.sql);
      this.#intents = new IntentStore(this.ctx.storage.sql);
      this.#credentials = new CredentialStore(this.ctx.storage.sql);
      this.#thumbnails = new ThumbnailLedger(this.ctx.storage.sql);
      return;
    }
    await this.#scheduleAlarm();
  }

  /** Takes the account's facts from the catalogue the first time. False where there is no such account. */
  async #load(): Promise<boolean> {
    if (this.#ledger.exists) return true;
    const { name } = this.ctx.id;
    const account = name === undefined ? undefined : await findAccount(openDb(this.env.DB), name);
    if (account === undefined) return false;
    this.#ledger.create(account, Date.now());
    return true;
  }

  #lives(credential: Credential, now: number): boolean {
    if (this.#erasing()) return false;
    if (credential.kind === "session") return this.#credentials.sessionLives(credential.sessionId, now);
    return credential.keyKind === TIERS[this.#ledger.tier].keyKind && !this.#credentials.keyRevoked(credential.keyId);
  }

  #erasing(): boolean {
    return this.#intents.find("erase") !== undefined;
  }

  #ratePerMinute(now: number): number {
    const rate = TIERS[this.#ledger.tier].requestsPerMinute;
    const exhausted = this.#ledger.usedTenths(now) >= this.#ledger.operationsLimit * 10;
    return exhausted ? Math.max(1, Math.floor(rate / THROTTLED_SHARE)) : rate;
  }

  #exhausted(now: number) {
    const figures = this.#figures(now);
    const retryAfterSeconds = secondsUntil(figures.operationsResetAt, now);
    return { outcome: "operations-exhausted", retryAfterSeconds, figures } as const;
  }

  #figures(now: number): AccountFigures {
    return {
      tier: this.#ledger.tier,
      rate: this.#window.figures(now, this.#ratePerMinute(now)),
      operationsUsedTenths: this.#ledger.usedTenths(now),
      classBTenths: this.#ledger.classBTenths(now),
      operationsLimit: this.#ledger.operationsLimit,
      operationsResetAt: this.#ledger.operationsResetAt(now),
      storageUsedBytes: this.#ledger.storageBytes,
      storageLimitBytes: this.#ledger.storageLimitBytes,
    };
  }

  #stores(): IntentStores {
    return {
      accountId: this.#ledger.accountId,
      db: openDb(this.env.DB),
      files: this.env.FILES,
      uploadEvents: this.env.UPLOADS,
      now: Date.now(),
    };
  }

  /** The next due intent, or the next pruning of the log; an earlier alarm that is set stays. */
  async #scheduleAlarm(): Promise<void> {
    const dueAt = this.#intents.nextDueAt() ?? (this.#ledger.exists ? this.#ledger.nextPruningAt() : null);
    if (dueAt === null) return;
    const current = await this.ctx.storage.getAlarm();
    if (current === null || current > dueAt) await this.ctx.storage.setAlarm(dueAt);
  }

  #timeoutMs(): number {
    return Number(this.env.INTENT_TIMEOUT_SECONDS) * 1000;
  }
}
