import type { Account } from "../../db/directory/schema.ts";
import { CLASS_A_TENTHS } from "../../domain/allowance.ts";
import { DEFAULT_WEBHOOK } from "../../domain/events.ts";
import { FINISHED_MS } from "../../domain/resumable.ts";
import { type KeyKind, MAX_UPLOADS_IN_PROGRESS, TIERS } from "../../domain/tiers.ts";
import { visitorShare } from "../../domain/upload-token.ts";
import { AlertStore } from "../alerts/alert-store.ts";
import { ByteClaimStore } from "../books/byte-claim-store.ts";
import { CountedThumbnails } from "../books/counted-thumbnails.ts";
import { type Credential, CredentialStore } from "../books/credential-store.ts";
import { DeviceStore } from "../books/device-store.ts";
import { ExpiryStore } from "../books/expiry-store.ts";
import type { TokenRoom } from "../books/figures.ts";
import { FileRulesStore } from "../books/file-rules-store.ts";
import { KeyRequestLog } from "../books/key-requests.ts";
import { Leases } from "../books/leases.ts";
import { Ledger, type LedgerOptions } from "../books/ledger.ts";
import { OperationLog } from "../books/operation-log.ts";
import { RequestClaims } from "../books/request-claims.ts";
import { SavedSearchStore } from "../books/saved-search-store.ts";
import { SessionStore } from "../books/session-store.ts";
import { ShareStore } from "../books/share-store.ts";
import { SuspensionStore } from "../books/suspension-store.ts";
import { TakedownStore } from "../books/takedown-store.ts";
import { TOMBSTONE_MS, Tombstone } from "../books/tombstone.ts";
import { UploadTokenStore } from "../books/upload-token-store.ts";
import { deleteOperationId, replaceOperation, uploadOperationId } from "../books/uploads-and-deletions.ts";
import { AccountEvents } from "../events/account-events.ts";
import { ImportStore } from "../imports/import-store.ts";
import { ImportWakes } from "../imports/import-wakes.ts";
import { expiryIntentId, type ReplaceIntent, sweepIntentId, toSweep, uploadIntentId } from "../intents/intent.ts";
import type { IntentEffect } from "../intents/intent-effect.ts";
import { IntentTable, type StoredIntent } from "../intents/intent-table.ts";
import type { ObjectAlarm } from "../object-alarm.ts";
import { ResumableTable } from "../resumable/resumable-table.ts";

export interface AccountTablesOptions extends LedgerOptions {
  /** Whether alerts are sent by e-mail. */
  sendsEmail(): boolean;
  /** The time that a change waits for its request before it counts as dead. */
  timeoutMs(): number;
  readonly alarm: ObjectAlarm;
}

/**
 * An account's tables, and queries that need several of them. All calls but `forget` and `bury` are synchronous; callers wrap calls that
 * belong together in `transactionSync`.
 */
export class AccountTables {
  ledger!: Ledger;
  events!: AccountEvents;
  leases!: Leases;
  intents!: IntentTable;
  credentials!: CredentialStore;
  sessions!: SessionStore;
  devices!: DeviceStore;
  thumbnails!: CountedThumbnails;
  keyRequests!: KeyRequestLog;
  claims!: RequestClaims;
  resumables!: ResumableTable;
  fileRules!: FileRulesStore;
  tombstone!: Tombstone;
  suspension!: SuspensionStore;
  takedowns!: TakedownStore;
  expiries!: ExpiryStore;
  uploadTokens!: UploadTokenStore;
  byteClaims!: ByteClaimStore;
  imports!: ImportStore;
  importWakes!: ImportWakes;
  shares!: ShareStore;
  savedSearches!: SavedSearchStore;
  readonly #storage: DurableObjectStorage;
  readonly #options: AccountTablesOptions;

  constructor(storage: DurableObjectStorage, options: AccountTablesOptions) {
    this.#storage = storage;
    this.#options = options;
    this.#open();
  }

  /** Removes all data of the account. */
  async forget(): Promise<void> {
    await this.#storage.deleteAll();
    this.alarm.forget();
    this.#open();
  }

  /** Removes all data of an erased account except the time of its erasure. */
  bury(erasedAt: number): void {
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
    this.alarm.bringForward(erasedAt + TOMBSTONE_MS);
  }

  /**
   * The time of the next due intent, alert, event, upload in pieces, import, expiry or verification, or the next pruning; null if there is
   * none.
   */
  nextDueAt(): number | null {
    const { ledger, events, intents, resumables, tombstone } = this;
    if (tombstone.erasedAt !== undefined) return tombstone.erasedAt + TOMBSTONE_MS;
    const dueTimes = [
      intents.nextDueAt(),
      ledger.alerts.deliveries.nextDueAt(),
      ledger.exists && !this.erasing ? events.nextDueAt(this.#options.timeoutMs()) : null,
      resumables.nextDueAt(),
      ledger.exists ? this.importWakes.nextAt() : null,
      ledger.exists ? ledger.verificationDueAt : null,
      // Expiries of a suspended account wait until its operator lets it continue.
      this.suspension.current === undefined && !this.erasing ? this.expiries.nextDueAt() : null,
    ].filter((at) => at !== null);
    const prunings = ledger.exists ? [ledger.log.nextPruningAt(), events.pages.nextPruningAt()] : [];
    const times = dueTimes.length > 0 ? dueTimes : prunings.filter((at) => at !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Reads the tables again after a restore has replaced them. */
  reopen(): void {
    this.#open();
  }

  #open(): void {
    this.ledger = this.#openLedger();
    this.events = this.#openEvents();
    if (this.events.isAdopted) this.ledger.alerts.sendAgain(DEFAULT_WEBHOOK, Date.now(), ["pending"]);
    this.leases = new Leases(this.#storage.sql);
    this.intents = new IntentTable(this.#storage.sql, this.leases, this.alarm);
    this.credentials = new CredentialStore(this.#storage.sql);
    this.sessions = new SessionStore(this.#storage.sql);
    this.devices = new DeviceStore(this.#storage.sql);
    this.thumbnails = new CountedThumbnails(this.#storage.sql);
    this.keyRequests = new KeyRequestLog(this.#storage.sql);
    this.claims = new RequestClaims(this.#storage.sql, this.leases);
    this.resumables = new ResumableTable(this.#storage.sql, this.alarm);
    this.fileRules = new FileRulesStore(this.#storage.sql);
    this.tombstone = new Tombstone(this.#storage.sql);
    this.suspension = new SuspensionStore(this.#storage.sql);
    this.takedowns = new TakedownStore(this.#storage.sql);
    this.expiries = new ExpiryStore(this.#storage.sql, this.alarm);
    this.uploadTokens = new UploadTokenStore(this.#storage.sql);
    this.byteClaims = new ByteClaimStore(this.#storage.sql);
    this.imports = new ImportStore(this.#storage.sql, this.alarm, (found) =>
      this.events.record("import.finished", { kind: "import", found }),
    );
    this.importWakes = new ImportWakes(this.#storage.kv, this.imports, this.alarm);
    this.shares = new ShareStore(this.#storage.sql);
    this.savedSearches = new SavedSearchStore(this.#storage.sql);
  }

  #openLedger(): Ledger {
    const { sql } = this.#storage;
    const alerts = new AlertStore(sql, {
      ...this.#options,
      raise: (alert, now) => this.events.recordAlert(alert, now),
      findWebhook: () => this.events.alertWebhook,
    });
    return new Ledger(sql, new OperationLog(sql), alerts, this.#options);
  }

  #openEvents(): AccountEvents {
    return new AccountEvents(this.#storage.sql, {
      tier: () => (this.ledger.exists ? this.ledger.tier : undefined),
      alarm: this.alarm,
      noteAlert: (webhook, tried) => {
        if (webhook === DEFAULT_WEBHOOK) this.ledger.alerts.deliveries.noteWebhook(tried);
      },
    });
  }

  get alarm(): ObjectAlarm {
    return this.#options.alarm;
  }

  get erasing(): boolean {
    return this.intents.find("erase") !== undefined;
  }

  #learnEmail(account: Account): void {
    const { email, emailVerifiedAt, verifyBy } = account;
    const { profile = account } = this.credentials;
    this.credentials.setProfile({ ...profile, email, emailVerifiedAt });
    this.ledger.setVerifyBy(verifyBy);
  }

  /** Whether a credential of the account is valid, and of the kind that its tier has. */
  lives(credential: Credential, now: number): boolean {
    if (this.erasing) return false;
    if (credential.kind === "session") return this.sessions.find(credential.sessionId, now) !== undefined;
    if (credential.kind === "token") {
      const { maker } = this.uploadTokens.findByHash(credential.hash) ?? {};
      if (maker?.kind === "session" || maker?.kind === "share") return true;
      return maker !== undefined && this.#keyLives(maker.id, maker.kind);
    }
    return this.#keyLives(credential.keyId, credential.keyKind);
  }

  #keyLives(keyId: string, keyKind: KeyKind): boolean {
    return keyKind === TIERS[this.ledger.tier].keyKind && this.credentials.keyLives(keyId, keyKind);
  }

  /**
   * The files and bytes that an upload of a token may still take, its own reservation included. The token's other uploads in progress
   * count. An upload in pieces that is being finished has an intent, too, and counts once.
   * @returns undefined if the token was revoked
   */
  roomOfToken(tokenId: string, uploadId: string): TokenRoom | undefined {
    const token = this.uploadTokens.find(tokenId);
    if (token === undefined) return undefined;
    const held = new Map<string, number>();
    for (const [id, bytes] of [...this.intents.heldBy(tokenId), ...this.resumables.heldBy(tokenId)])
      held.set(id, (held.get(id) ?? 0) + bytes);
    held.delete(uploadId);
    const { maxFiles, maxBytes } = token.limits;
    const heldBytes = [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
    return {
      limits: token.limits,
      files: (maxFiles ?? Number.POSITIVE_INFINITY) - token.files - held.size,
      bytes: (maxBytes ?? Number.POSITIVE_INFINITY) - token.bytes - heldBytes,
    };
  }

  /** The reservations of uploads in progress. */
  get reservedBytes(): number {
    return this.intents.pending().reservedBytes + this.resumables.reservedBytes;
  }

  /** Bytes that are neither stored nor reserved; negative if the tier's storage is smaller than the stored bytes. */
  get freeBytes(): number {
    return this.ledger.storageLimitBytes - this.ledger.storageBytes - this.reservedBytes;
  }

  /**
   * Whether the month's limit allows one more Class A operation besides the ones in progress.
   * @param begunId the intent of the operation in question, which may be in progress already
   */
  mayBegin(now: number, begunId?: string): boolean {
    const isBegun = begunId !== undefined && this.intents.find(begunId) !== undefined;
    const others = this.intents.pending().classA - (isBegun ? 1 : 0);
    return this.ledger.usedTenths(now) + others * CLASS_A_TENTHS < this.ledger.operationsLimit * 10;
  }

  /**
   * Whether the account has as many uploads in progress as it may have, besides this one. An upload in pieces has its own limit. Upload
   * tokens have a part of them.
   */
  hasTooManyUploads(uploadId: string, isOfToken: boolean): boolean {
    const isKnown =
      this.intents.find(uploadIntentId(uploadId)) !== undefined || this.resumables.find(uploadId) !== undefined;
    const { tier } = this.ledger;
    if (isKnown) return false;
    if (isOfToken && this.intents.countOfTokens() >= visitorShare(MAX_UPLOADS_IN_PROGRESS, tier)) return true;
    return this.intents.pending().uploads >= MAX_UPLOADS_IN_PROGRESS[tier];
  }

  isDeleted(uploadId: string): boolean {
    return this.erasing || this.ledger.log.has(deleteOperationId(uploadId));
  }

  /** Whether the upload is stored, was stored, or is in progress. */
  isUpload(uploadId: string): boolean {
    const isUnderWay = this.intents.find(uploadIntentId(uploadId)) !== undefined;
    return isUnderWay || this.ledger.log.has(uploadOperationId(uploadId));
  }

  countThumbnail(uploadId: string, sizeBytes: number): void {
    this.ledger.addStorage(this.thumbnails.set(uploadId, sizeBytes));
  }

  /** Counts the month's uploads and deletions again, in one transaction. @param tenths the count of each of its days */
  recount(tenths: ReadonlyMap<number, number>): void {
    this.#storage.transactionSync(() => this.ledger.recount(tenths));
  }

  /**
   * Cancels an upload: it is no longer in progress and, if it was settled since, no longer counted. The alarm sweeps its remains, unless
   * its request removes them before (`release`).
   * @param objectKeys used if its intent is gone
   */
  giveUp(uploadId: string, objectKeys: readonly string[], sweepAt: number): void {
    const found = this.intents.find(uploadIntentId(uploadId))?.intent;
    // An upload in pieces is never undone.
    if (!this.ledger.exists || this.erasing || (found?.kind === "upload" && found.isResumable)) return;
    this.release(uploadId);
    this.intents.put(found?.kind === "upload" ? toSweep(found) : { kind: "sweep", uploadId, objectKeys }, 0, sweepAt);
  }

  /** Forgets an upload that left nothing in R2 and D1: its reservation and, if it was settled since, its bytes and operation. */
  release(uploadId: string): void {
    this.intents.remove(uploadIntentId(uploadId));
    this.intents.remove(sweepIntentId(uploadId));
    this.expiries.delete(uploadId);
    // A deletion has freed its bytes already.
    if (this.isDeleted(uploadId)) return;
    const taken = this.ledger.takeBack(uploadOperationId(uploadId), Date.now());
    if (taken === undefined) return;
    this.events.record("image.deleted", { kind: "deleted", uploadId });
    if (taken.keyId !== null) this.uploadTokens.count(taken.keyId, -1, -taken.storageBytes);
    this.imports.unsettle(uploadId, Date.now());
  }

  /**
   * Puts the intent of a replacement in the place of an upload in progress, and keeps the reservation.
   * @returns the new intent's id
   */
  beginReplacement(upload: StoredIntent, intent: ReplaceIntent, dueAt: number): string {
    const { creditBytes } = upload.intent.kind === "upload" ? upload.intent : {};
    return this.#storage.transactionSync(() => {
      this.intents.remove(upload.id);
      const credited = { ...intent, ...(creditBytes !== undefined && { creditBytes }) };
      return this.intents.put(credited, upload.reservedBytes, dueAt);
    });
  }

  /**
   * Settles a replacement in the transaction of its caller: the operation, the difference of the bytes, and the removal of the former
   * thumbnail. An upload in progress that has the former bytes as its credit now reserves the part that the new bytes do not cover.
   */
  settleReplacement({ uploadId, replacementId, keyId, from, to }: ReplaceIntent): void {
    const at = this.ledger.clock(Date.now());
    const operation = { ...replaceOperation({ uploadId, replacementId, keyId }), at };
    if (!this.ledger.record(operation, to.sizeBytes - from.sizeBytes, at)) return;
    this.ledger.log.changeRow(uploadId, to);
    this.countThumbnail(uploadId, 0);
    for (const { id, intent, reservedBytes } of this.intents.listReplacing(uploadId)) {
      const lostBytes = (intent.creditBytes ?? 0) - to.sizeBytes;
      if (lostBytes <= 0) continue;
      this.intents.replace({ ...intent, creditBytes: to.sizeBytes });
      this.intents.grow(id, reservedBytes + lostBytes);
    }
    this.events.record("image.updated", uploadId);
  }

  /**
   * Settles an intent that was carried out: removes it, and counts its operation and bytes.
   * @returns false if it was settled before, or replaced by a newer intent that still has to be carried out
   */
  settle(stored: StoredIntent, { operation, storageBytes, account }: IntentEffect): boolean {
    if (!this.intents.settle(stored)) return false;
    if (account !== undefined) this.#learnEmail(account);
    const at = this.ledger.clock(Date.now());
    // If the log has an operation, it was counted before: a deletion that two requests began frees its bytes once.
    if (operation !== null && !this.ledger.record({ ...operation, at }, storageBytes, at)) return false;
    const { intent } = stored;
    if (intent.kind === "upload" && operation !== null) {
      const { row } = operation;
      this.events.record("upload.completed", row === undefined ? intent.uploadId : { kind: "upload", row });
    }
    if (intent.kind === "upload" && operation !== null && intent.tokenId !== undefined)
      this.uploadTokens.count(intent.tokenId, 1, storageBytes);
    if (intent.kind === "upload" && operation !== null && intent.importItem !== undefined)
      this.imports.settle(intent.importItem, intent.uploadId, at);
    if (intent.kind === "delete") {
      const { uploadId, objectKey, sizeBytes } = intent;
      this.events.record("image.deleted", { kind: "deleted", uploadId, objectKey, sizeBytes });
      this.countThumbnail(intent.uploadId, 0);
      this.resumables.delete(intent.uploadId);
      this.takedowns.delete(intent.uploadId);
      this.expiries.delete(intent.uploadId);
      this.intents.remove(expiryIntentId(intent.uploadId));
    }
    if (intent.kind === "sweep") this.countThumbnail(intent.uploadId, 0);
    const expiresAt = intent.kind === "upload" ? operation?.row?.expiresAt : undefined;
    if (intent.kind === "upload" && typeof expiresAt === "number") this.expiries.set(intent.uploadId, expiresAt);
    if (intent.kind === "upload" && operation !== null)
      this.resumables.settle(intent.uploadId, Date.now() + FINISHED_MS);
    return true;
  }
}
