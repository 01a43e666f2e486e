import { CLASS_A_TENTHS } from "../domain/operations.ts";
import { FINISHED_MS } from "../domain/resumable.ts";
import { TIERS } from "../domain/tiers.ts";
import { AlertStore, type AlertStoreOptions } from "./alert-store.ts";
import type { Credential } from "./answers.ts";
import { CredentialStore } from "./credential-store.ts";
import { sweepIntentId, toSweep, uploadIntentId } from "./intent.ts";
import { IntentStore, type StoredIntent } from "./intent-store.ts";
import type { IntentEffect } from "./intent-stores.ts";
import { KeyRequestLog } from "./key-requests.ts";
import { Ledger } from "./ledger.ts";
import { deleteOperationId, OperationLog, uploadOperationId } from "./operation-log.ts";
import { RequestClaims } from "./request-claims.ts";
import { ResumableStore } from "./resumable-store.ts";
import { ThumbnailLedger } from "./thumbnail-ledger.ts";
import { TOMBSTONE_MS, Tombstone } from "./tombstone.ts";

/**
 * An account's tables, and the questions that need several of them. All calls but `forget` are synchronous; callers wrap
 * those that belong together in `transactionSync`.
 */
export class AccountBooks {
  ledger: Ledger;
  intents: IntentStore;
  credentials: CredentialStore;
  thumbnails: ThumbnailLedger;
  keyRequests: KeyRequestLog;
  claims: RequestClaims;
  resumables: ResumableStore;
  tombstone: Tombstone;
  readonly #storage: DurableObjectStorage;
  readonly #options: Pick<AlertStoreOptions, "sendsEmail">;

  /** @param options `sendsEmail`: whether alerts go out by e-mail */
  constructor(storage: DurableObjectStorage, options: Pick<AlertStoreOptions, "sendsEmail">) {
    this.#storage = storage;
    this.#options = options;
    this.ledger = this.#openLedger();
    this.intents = new IntentStore(storage.sql);
    this.credentials = new CredentialStore(storage.sql);
    this.thumbnails = new ThumbnailLedger(storage.sql);
    this.keyRequests = new KeyRequestLog(storage.sql);
    this.claims = new RequestClaims(storage.sql);
    this.resumables = new ResumableStore(storage.sql);
    this.tombstone = new Tombstone(storage.sql);
  }

  /** Forgets the account, as if there had never been one. */
  async forget(): Promise<void> {
    await this.#storage.deleteAll();
    this.#open();
  }

  /** Forgets an account that was erased, but for when that was. */
  async bury(erasedAt: number): Promise<void> {
    this.#storage.transactionSync(() => {
      for (const [key] of this.#storage.kv.list()) this.#storage.kv.delete(key);
      const kinds = ["view", "table"];
      for (const kind of kinds) {
        const query =
          "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_cf!_%' ESCAPE '!'";
        const names = this.#storage.sql.exec<{ name: string }>(query, kind).toArray();
        for (const { name } of names) this.#storage.sql.exec(`DROP ${kind} "${name}"`);
      }
      this.#open();
      this.tombstone.set(erasedAt);
    });
    await this.#storage.setAlarm(erasedAt + TOMBSTONE_MS);
  }

  #open(): void {
    this.ledger = this.#openLedger();
    this.intents = new IntentStore(this.#storage.sql);
    this.credentials = new CredentialStore(this.#storage.sql);
    this.thumbnails = new ThumbnailLedger(this.#storage.sql);
    this.keyRequests = new KeyRequestLog(this.#storage.sql);
    this.claims = new RequestClaims(this.#storage.sql);
    this.resumables = new ResumableStore(this.#storage.sql);
    this.tombstone = new Tombstone(this.#storage.sql);
  }

  #openLedger(): Ledger {
    const { sql } = this.#storage;
    // The alarm is part of the transaction that has raised an alert: whatever ends the object after it, the alert goes out.
    const wake = () => void this.#storage.setAlarm(Date.now());
    return new Ledger(sql, new OperationLog(sql), new AlertStore(sql, { ...this.#options, wake }));
  }

  get erasing(): boolean {
    return this.intents.find("erase") !== undefined;
  }

  /** Whether a credential is one of the account's, and of its tier's kind. */
  lives(credential: Credential, now: number): boolean {
    if (this.erasing) return false;
    if (credential.kind === "session") return this.credentials.sessionLives(credential.sessionId, now);
    const { keyId, keyKind } = credential;
    return keyKind === TIERS[this.ledger.tier].keyKind && this.credentials.keyLives(keyId, keyKind);
  }

  /** The bytes that uploads under way may still take. */
  get reservedBytes(): number {
    return this.intents.pending().reservedBytes + this.resumables.reservedBytes;
  }

  /** The bytes that are neither stored nor reserved; below zero where the tier has become smaller than what is stored. */
  get freeBytes(): number {
    return this.ledger.storageLimitBytes - this.ledger.storageBytes - this.reservedBytes;
  }

  /**
   * Whether the month has room for one more operation of class A beside those under way.
   * @param begunId the intent of the operation that asks; it may be under way already
   */
  mayBegin(now: number, begunId?: string): boolean {
    const isBegun = begunId !== undefined && this.intents.find(begunId) !== undefined;
    const others = this.intents.pending().classA - (isBegun ? 1 : 0);
    return this.ledger.usedTenths(now) + others * CLASS_A_TENTHS < this.ledger.operationsLimit * 10;
  }

  isDeleted(uploadId: string): boolean {
    return this.erasing || this.ledger.log.has(deleteOperationId(uploadId));
  }

  /** Whether it is stored, was, or is under way. */
  isUpload(uploadId: string): boolean {
    const isUnderWay = this.intents.find(uploadIntentId(uploadId)) !== undefined;
    return isUnderWay || this.ledger.log.has(uploadOperationId(uploadId));
  }

  countThumbnail(uploadId: string, sizeBytes: number): void {
    this.ledger.addStorage(this.thumbnails.set(uploadId, sizeBytes));
  }

  /** Counts the month's uploads and deletions again, in one transaction. @param tenths of each of its days */
  recount(tenths: ReadonlyMap<number, number>): void {
    this.#storage.transactionSync(() => this.ledger.recount(tenths));
  }

  /**
   * An upload is not to be: it is under way no more and, where it was counted as stored meanwhile, not counted. What may be there of it is
   * swept by the alarm, unless its request has removed it by then (`release`).
   * @param objectKeys used where its intent is gone
   */
  giveUp(uploadId: string, objectKeys: readonly string[], sweepAt: number): void {
    const found = this.intents.find(uploadIntentId(uploadId))?.intent;
    // Bytes that came in pieces are kept.
    if (!this.ledger.exists || this.erasing || (found?.kind === "upload" && found.isResumable)) return;
    this.release(uploadId);
    this.intents.put(found?.kind === "upload" ? toSweep(found) : { kind: "sweep", uploadId, objectKeys }, 0, sweepAt);
  }

  /** Forgets an upload that left nothing behind: its reservation and, where it was counted as stored meanwhile, its bytes and operation. */
  release(uploadId: string): void {
    this.intents.remove(uploadIntentId(uploadId));
    this.intents.remove(sweepIntentId(uploadId));
    // Its deletion has freed its bytes.
    if (!this.isDeleted(uploadId)) this.ledger.takeBack(uploadOperationId(uploadId), Date.now());
  }

  /**
   * Settles an intent that was carried out: it is removed, and its operation and bytes are counted.
   * @returns false where it was settled before, or replaced by a newer one that still has to be carried out
   */
  settle(stored: StoredIntent, { operation, storageBytes }: IntentEffect): boolean {
    if (!this.intents.settle(stored)) return false;
    const at = this.ledger.clock(Date.now());
    // An operation in the log was counted before: a delete that two requests began frees its bytes once.
    if (operation !== null && !this.ledger.record({ ...operation, at }, storageBytes, at)) return false;
    const { intent } = stored;
    if (intent.kind === "delete") {
      this.countThumbnail(intent.uploadId, 0);
      this.resumables.delete(intent.uploadId);
    }
    if (intent.kind === "sweep") this.countThumbnail(intent.uploadId, 0);
    if (intent.kind === "upload" && operation !== null)
      this.resumables.settle(intent.uploadId, Date.now() + FINISHED_MS);
    return true;
  }
}
