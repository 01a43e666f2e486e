import { DurableObject } from "cloudflare:workers";
import type { EmailSetting } from "../db/directory/account-changes.ts";
import type { NewUploadKey } from "../db/directory/keys.ts";
import type { Account, Key } from "../db/directory/schema.ts";
import type { Upload } from "../db/library/schema.ts";
import type { AccountSettings } from "../domain/account-settings.ts";
import type { DeliveryOutcome } from "../domain/alerts.ts";
import type { FileRules } from "../domain/file-rules.ts";
import type { Shard } from "../domain/ids.ts";
import type { Actor } from "../domain/principal.ts";
import type { SavedSearch } from "../domain/saved-search.ts";
import type { VideoFacts } from "../domain/video-facts.ts";
import type { View } from "../domain/view-pack.ts";
import type { Visibility } from "../domain/visibility.ts";
import { admit, readFigures } from "./account/admit.ts";
import { chargeAllowance, takePreview } from "./account/allowance.ts";
import {
  type AccountPage,
  type RestoredPage,
  type RestoreOutcome,
  readAccount,
  restoreAccount,
} from "./account/backup.ts";
import { setEmail, setSettings, setTier, type TierChange } from "./account/change-account.ts";
import { changeFileRules, type FileRulesChange, readFileRules } from "./account/change-file-rules.ts";
import { type MeterContext, openContext } from "./account/context.ts";
import {
  learnKey,
  openSession,
  replaceUploadKey,
  resetPassword,
  revokeKey,
  setPassword,
} from "./account/credentials.ts";
import { erase, findErasure } from "./account/erase.ts";
import { locateLibrary, moveLibrary } from "./account/library.ts";
import { deleteNamedRule, type NamedRule, putNamedRule } from "./account/named-rules.ts";
import type { Admission, Erasure, SessionOpening } from "./account/outcomes.ts";
import { register, unregister } from "./account/register.ts";
import { ringAlarm } from "./account/ring-alarm.ts";
import { addSavedSearch, changeSavedSearch, listSavedSearches, removeSavedSearch } from "./account/saved-searches.ts";
import {
  changeShare,
  createShare,
  deleteShare,
  findShare,
  type GuestToken,
  listShares,
  renewGuestToken,
  type ShareVisit,
  type VisitKind,
  visitShare,
} from "./account/shares.ts";
import { endSessions, eraseForOperator, findSuspension, suspend, unsuspend } from "./account/suspend.ts";
import {
  type CredentialToken,
  createUploadToken,
  listUploadTokens,
  revokeUploadToken,
  type TokenCreation,
} from "./account/upload-tokens.ts";
import {
  listKeyRequests,
  listOperationDays,
  listOperations,
  recordKeyRequests,
  recordViews,
  walkOperations,
} from "./account/usage.ts";
import type { Alert, DueDelivery, ListedAlert } from "./alerts/alert.ts";
import { beginDelivery, endDelivery } from "./alerts/requests.ts";
import type { ByteClaim } from "./books/byte-claim-store.ts";
import type { Credential } from "./books/credential-store.ts";
import type { AccountFigures, Refused } from "./books/figures.ts";
import type { KeyRequests } from "./books/key-requests.ts";
import type { LogFilter, Operation } from "./books/operation.ts";
import type { OperationDay } from "./books/operation-days.ts";
import type { LogPage, LogSlice } from "./books/read-log.ts";
import type { Claim, ClaimedResult } from "./books/request-claims.ts";
import type { NewSession, StoredSession } from "./books/session-store.ts";
import type { CountedShare, ShareChange, ShareSlice, StoredShare } from "./books/share-store.ts";
import type { Suspension } from "./books/suspension-store.ts";
import type { StoredUploadToken, TokenSlice } from "./books/upload-token-store.ts";
import type { NewWebhook, WebhookPut } from "./events/account-events.ts";
import type {
  AnnouncedChanges,
  Announcement,
  BegunRun,
  DueRun,
  ListedDelivery,
  ListedWebhook,
} from "./events/event.ts";
import {
  announceChanges,
  beginRun,
  deleteWebhook,
  type EventSlice,
  endRun,
  type FoundWebhook,
  findAlertWebhook,
  type ListedDeliveries,
  listDeliveries,
  listWebhooks,
  noteDelivery,
  putWebhook,
  readEvents,
} from "./events/requests.ts";
import type { RunEnd } from "./events/webhook-runs.ts";
import { endItem, renewItem, takeItem } from "./imports/attempts.ts";
import type {
  AttemptOutcome,
  AttemptRef,
  BegunItem,
  ImportCreation,
  ImportSlice,
  ItemSlice,
  NewImport,
  StoredItem,
} from "./imports/import.ts";
import { createImport, findImport, listImports, stopImport } from "./imports/requests.ts";
import type { StoredImport } from "./imports/stored-import.ts";
import { changeVisibility, type FileToChange, type VisibilityChange } from "./intents/change-visibility.ts";
import { claimBytes, findSettled } from "./intents/claim-bytes.ts";
import { deleteFolder } from "./intents/delete-folder.ts";
import { type DeletedUpload, deleteUpload, deleteUploads } from "./intents/delete-upload.ts";
import { type ExpiryAnswer, setExpiry } from "./intents/expire-uploads.ts";
import type { UploadIntent } from "./intents/intent.ts";
import { listIntents, retryIntent } from "./intents/operate-intents.ts";
import type {
  ClaimAnswer,
  Deletion,
  FolderDeletion,
  Growth,
  IntentRetry,
  IntentSummary,
  MoveProgress,
  Reservation,
  ThumbnailReservation,
  ThumbnailSettlement,
  Unfinished,
} from "./intents/outcomes.ts";
import { type Replacement, type ReplacementAnswer, replaceContent } from "./intents/replace-content.ts";
import { claimRequest, endClaim } from "./intents/take-claim.ts";
import {
  type RestoreAnswer,
  restoreFile,
  type TakedownAnswer,
  type TakedownOrder,
  takeDown,
} from "./intents/take-down.ts";
import { failThumbnail, reserveThumbnail, settleThumbnail } from "./intents/thumbnails.ts";
import {
  type GivenUpUpload,
  giveUpUploads,
  growUpload,
  releaseUploads,
  renewUploads,
  reserveUpload,
  type StoredUpload,
  settleUploads,
  shrinkUpload,
} from "./intents/upload-intents.ts";
import { type UploadStanding, uploadStanding } from "./intents/upload-standing.ts";
import type { ReconcileOrder, ReconcileStep } from "./reconcile/finding.ts";
import { reconcileStep } from "./reconcile/reconcile-step.ts";
import type {
  Drop,
  DropOutcome,
  Finish,
  NewResumable,
  ReceivedPart,
  ResumableClaim,
  ResumableCompletion,
  ResumableCreation,
  ResumableOpening,
  ResumableWrite,
  UnfinishedUpload,
} from "./resumable/outcomes.ts";
import {
  addDrop,
  completeResumable,
  createResumable,
  discardResumable,
  endDuplicate,
  findResumable,
  listResumables,
  openResumable,
  removeResumable,
  settleCreation,
} from "./resumable/requests.ts";
import type { Resumable, ResumableFile } from "./resumable/resumable.ts";
import type { LogPosition } from "./views/log-position.ts";
import type { ViewPack } from "./views/view-packs.ts";

/**
 * One account's exact and serial figures: the rate window, the month's operations, storage, the operation log, valid credentials and
 * intents. Sizes are bytes, times milliseconds since the epoch. RPC methods return tagged unions, because RPC does not keep an error's
 * class. RPC exposes every method of the prototype, also `protected` ones, and no property of the object (Workers RPC, "Visibility and
 * security model"). So each method here is for callers, and the shared state is in `#context`.
 */
export class AccountMeter extends DurableObject<Env> {
  readonly #context: MeterContext;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#context = openContext(state, () => this.env);
  }

  // Admission: the rate window, the month's operations and idempotency keys.

  /** The only call before a request's handler (`admit`). */
  admit(credential: Credential, isOperation = false, isPiece = false, microdollars = 0): Promise<Admission> {
    return admit(this.#context, credential, { isOperation, isPiece, microdollars });
  }

  /** Takes the price of a large change, in millionths of a dollar, after the change. */
  chargeAllowance(microdollars: number): Promise<void> {
    return chargeAllowance(this.#context, microdollars);
  }

  /** @returns the seconds to wait if the day's CPU time for previews is used up */
  takePreview(seconds: number): Promise<number | undefined> {
    return takePreview(this.#context, seconds);
  }

  /** The figures without counting a request; undefined if there is no such account. */
  read(): Promise<AccountFigures | undefined> {
    return readFigures(this.#context);
  }

  /** Returns whether a request with an idempotency key may be carried out. */
  claim(claim: Claim): Promise<ClaimAnswer> {
    return claimRequest(this.#context, claim);
  }

  /** Records a claimed request's content before its first row is written, so that the request of every stored upload is known. */
  async identifyClaim(claim: Claim, fingerprint: string): Promise<void> {
    this.#context.tables.claims.identify(claim, fingerprint);
  }

  /** A claimed request failed, or ended without a stored file, so it may be made again. */
  async endClaim(claim: Claim): Promise<void> {
    endClaim(this.#context, claim);
  }

  // Uploads in one request. Each of them is an intent.

  reserve(intent: UploadIntent, minimumBytes: number, maximumBytes: number): Promise<Reservation> {
    return reserveUpload(this.#context, intent, minimumBytes, maximumBytes);
  }

  /** Delays the replay of uploads in progress. */
  async renew(
    uploadIds: readonly string[],
    multipart?: { uploadId: string; multipartUploadId: string },
    claim?: Claim,
  ): Promise<void> {
    renewUploads(this.#context, uploadIds, multipart, claim);
  }

  /** Increases the reservation of an upload in progress. */
  grow(uploadId: string, minimumBytes: number, wantedBytes: number): Promise<Growth> {
    return growUpload(this.#context, uploadId, minimumBytes, wantedBytes);
  }

  /** An upload has all its bytes, so the rest of its reservation is freed. */
  async shrink(uploadId: string, sizeBytes: number): Promise<void> {
    shrinkUpload(this.#context, uploadId, sizeBytes);
  }

  settleUploads(
    stored: readonly StoredUpload[],
    claimed?: { readonly claim: Claim; readonly results: readonly ClaimedResult[] },
  ): Promise<{ missing: string[]; figures: AccountFigures | undefined }> {
    return settleUploads(this.#context, stored, claimed);
  }

  /** Claims bytes for uploads in progress that dedupe, all or none. @returns false if another upload holds one of them */
  claimBytes(claims: readonly ByteClaim[]): Promise<boolean> {
    return claimBytes(this.#context, claims);
  }

  /** The first of these uploads that is stored, by the key or token `ofKey` if it is given. */
  findSettled(uploadIds: readonly string[], ofKey?: string): Promise<string | undefined> {
    return findSettled(this.#context, uploadIds, ofKey);
  }

  giveUp(uploads: readonly GivenUpUpload[]): Promise<void> {
    return giveUpUploads(this.#context, uploads);
  }

  release(uploadIds: readonly string[]): Promise<void> {
    return releaseUploads(this.#context, uploadIds);
  }

  // Uploads in pieces, over many requests.

  /** @param claim the request's, if it has an idempotency key */
  createResumable(upload: NewResumable, claim?: Claim): Promise<ResumableCreation> {
    return createResumable(this.#context, upload, claim);
  }

  /** Ends a claimed request that has created an upload. */
  async settleCreation(claim: Claim, fingerprint: string, uploadId: string): Promise<void> {
    settleCreation(this.#context, claim, fingerprint, uploadId);
  }

  /** Lets a request write once no other request writes; waits for a few seconds at most. */
  openResumable(uploadId: string, claim: ResumableClaim): Promise<ResumableOpening> {
    return openResumable(this.#context, uploadId, claim);
  }

  /** Stores a piece of a few bytes in one call and one row. A repeated call finds another offset, and its request then works as a writer. */
  addDrop(uploadId: string, drop: Drop): Promise<DropOutcome> {
    return addDrop(this.#context, uploadId, drop);
  }

  /** Ends an upload whose bytes another upload has. */
  endDuplicate(uploadId: string, writer: string, duplicateOf: string): Promise<void> {
    return endDuplicate(this.#context, uploadId, writer, duplicateOf);
  }

  async beginResumable(uploadId: string, writer: string, file: ResumableFile): Promise<ResumableWrite> {
    return this.#context.resumable.begin(uploadId, writer, file);
  }

  async commitPart(uploadId: string, writer: string, received: ReceivedPart, release = false): Promise<ResumableWrite> {
    return this.#context.resumable.commitPart(uploadId, writer, received, release);
  }

  /**
   * @param start where the bytes begin in the upload
   * @param pieces copies that RPC made for this call. Their memory is freed at once: garbage of many calls would pile up.
   */
  async appendTail(
    uploadId: string,
    writer: string,
    start: number,
    pieces: readonly Uint8Array[],
    release = false,
  ): Promise<ResumableWrite> {
    try {
      return this.#context.resumable.appendTail(uploadId, writer, start, pieces, release);
    } finally {
      for (const { buffer } of pieces) (buffer as ArrayBuffer).transfer(0);
    }
  }

  /** @returns pieces of about `bytes` bytes in total; none at the tail's end */
  async readTail(uploadId: string, start: number, bytes: number): Promise<Uint8Array[]> {
    return this.#context.resumable.readTail(uploadId, start, bytes);
  }

  async renewResumable(uploadId: string, writer: string): Promise<ResumableWrite> {
    return this.#context.resumable.renew(uploadId, writer);
  }

  async releaseResumable(uploadId: string, writer: string): Promise<ResumableWrite> {
    return this.#context.resumable.release(uploadId, writer);
  }

  /** All bytes have arrived. From now on the upload is finished, never undone. */
  completeResumable(uploadId: string, writer: string, finish: Finish): Promise<ResumableCompletion> {
    return completeResumable(this.#context, uploadId, writer, finish);
  }

  /** Finds an upload without disturbing its writer. @param ofKey as in `ResumableClaim` */
  findResumable(uploadId: string, ofKey?: string): Promise<Resumable | undefined> {
    return findResumable(this.#context, uploadId, ofKey);
  }

  /** Lists at most 100, newest first. */
  listResumables(): Promise<UnfinishedUpload[]> {
    return listResumables(this.#context);
  }

  /** Deletes an upload, unless all its bytes have arrived. @param ofKey as in `ResumableClaim` */
  removeResumable(uploadId: string, ofKey?: string): Promise<"removed" | "unknown" | "held"> {
    return removeResumable(this.#context, uploadId, ofKey);
  }

  /** Deletes an upload on behalf of its writer. */
  discardResumable(uploadId: string, writer: string): Promise<void> {
    return discardResumable(this.#context, uploadId, writer);
  }

  // Imports, whose bytes the service fetches itself.

  createImport(creation: NewImport): Promise<ImportCreation> {
    return createImport(this.#context, creation);
  }

  listImports(slice: ImportSlice): Promise<StoredImport[]> {
    return listImports(this.#context, slice);
  }

  /** @param importerId as in `ImportSlice` @returns undefined if there is no such import */
  findImport(
    id: string,
    slice: ItemSlice,
    importerId?: string,
  ): Promise<{ found: StoredImport; items: StoredItem[] } | undefined> {
    return findImport(this.#context, id, slice, importerId);
  }

  /** @param importerId as in `ImportSlice` @returns undefined if there is no such import */
  stopImport(id: string, importerId?: string): Promise<StoredImport | undefined> {
    return stopImport(this.#context, id, importerId);
  }

  /** Begins an attempt of the account's next item; undefined if there is nothing to do now. */
  takeImportItem(): Promise<BegunItem | undefined> {
    return takeItem(this.#context);
  }

  /** @returns false if the runner must stop */
  async renewImportItem(ref: AttemptRef): Promise<boolean> {
    return renewItem(this.#context, ref);
  }

  /** Ends an attempt. @returns the runner's next item, if it wants one */
  endImportItem(ref: AttemptRef, outcome: AttemptOutcome, wantsMore: boolean): Promise<BegunItem | undefined> {
    return endItem(this.#context, ref, outcome, wantsMore);
  }

  // The library: deletions, thumbnails and its shard.

  deleteUpload(upload: DeletedUpload): Promise<Deletion> {
    return deleteUpload(this.#context, upload);
  }

  /** @returns the outcomes in the order given; `unfinished` if a store failed: the alarm finishes that deletion */
  deleteUploads(uploads: readonly DeletedUpload[]): Promise<(Deletion | Unfinished)[]> {
    return deleteUploads(this.#context, uploads);
  }

  /** Makes files public or private. @returns the outcomes in the order given */
  changeVisibility(uploads: readonly FileToChange[], visibility: Visibility): Promise<VisibilityChange[]> {
    return changeVisibility(this.#context, uploads, visibility);
  }

  /** Gives a file the bytes of an upload in progress, which ends. A repeated call has the same answer. */
  replaceContent(replacement: Replacement): Promise<ReplacementAnswer> {
    return replaceContent(this.#context, replacement);
  }

  /** @param request the request's own id, the same in each of its calls */
  deleteFolder(folderId: string, request: string, by?: Actor): Promise<FolderDeletion> {
    return deleteFolder(this.#context, folderId, request, by);
  }

  /** @param objectKey the path of the video's bytes, here and below; undefined in calls of earlier versions */
  reserveThumbnail(uploadId: string, sizeBytes: number, objectKey?: string): Promise<ThumbnailReservation> {
    return reserveThumbnail(this.#context, uploadId, sizeBytes, objectKey);
  }

  settleThumbnail(uploadId: string, objectKey?: string): Promise<ThumbnailSettlement> {
    return settleThumbnail(this.#context, uploadId, objectKey);
  }

  /** Sets or removes the time at which an upload is deleted. */
  setExpiry(upload: Pick<Upload, "id" | "sizeBytes">, at: number | null): Promise<ExpiryAnswer> {
    return setExpiry(this.#context, upload, at);
  }

  /** Records that a video will have no thumbnail, unless R2 has one. @returns `missing` if it was recorded */
  failThumbnail(
    uploadId: string,
    reason: string,
    facts: Partial<VideoFacts>,
    objectKey?: string,
  ): Promise<ThumbnailSettlement> {
    return failThumbnail(this.#context, uploadId, reason, facts, objectKey);
  }

  /** The state of an upload, for requests that check it later. */
  uploadStanding(uploadId: string): Promise<UploadStanding> {
    return uploadStanding(this.#context, uploadId);
  }

  /** The shard of the account's library; undefined if the account no longer exists. */
  locate(): Promise<Shard | undefined> {
    return locateLibrary(this.#context);
  }

  moveLibrary(to: Shard): Promise<MoveProgress> {
    return moveLibrary(this.#context, to);
  }

  // Credentials. A revoked credential is refused from the call on, and the directory is changed afterwards.

  /** @returns `refused` if the hash is no longer the account's, or the account no longer exists */
  openSession(session: NewSession, verifiedHash: string): Promise<SessionOpening> {
    return openSession(this.#context, session, verifiedHash);
  }

  /** The sessions that have not ended, newest first. */
  async listSessions(): Promise<StoredSession[]> {
    return this.#context.tables.sessions.list(Date.now());
  }

  /** @returns whether the session was open */
  async endSession(sessionId: string): Promise<boolean> {
    return this.#context.tables.sessions.end(sessionId, Date.now());
  }

  /** Records that the session's user has proved to be the owner. @returns the time of the proof */
  async proveSession(sessionId: string): Promise<number> {
    return this.#context.tables.sessions.prove(sessionId, Date.now());
  }

  /** @returns false if the session has ended since the request was admitted */
  setPassword(passwordHash: string, sessionId: string, revokedKeyIds: readonly string[] = []): Promise<boolean> {
    return setPassword(this.#context, passwordHash, sessionId, revokedKeyIds);
  }

  /** @returns false if the password was changed since, or the account no longer exists */
  resetPassword(passwordHash: string, formerHash: string, revokedKeyIds: readonly string[]): Promise<boolean> {
    return resetPassword(this.#context, passwordHash, formerHash, revokedKeyIds);
  }

  /** @returns false if the address changed since, another account has it, or the account no longer exists */
  setEmail(setting: EmailSetting): Promise<boolean> {
    return setEmail(this.#context, setting);
  }

  /** @returns false if the session that made it has ended since the request was admitted */
  learnKey(key: Key, sessionId: string): Promise<boolean> {
    return learnKey(this.#context, key, sessionId);
  }

  revokeKey(keyId: string): Promise<void> {
    return revokeKey(this.#context, keyId);
  }

  /** @returns false if another key has replaced it since, the session has ended, or the account no longer exists */
  replaceUploadKey(key: NewUploadKey, sessionId: string): Promise<boolean> {
    return replaceUploadKey(this.#context, key, sessionId);
  }

  createUploadToken(token: CredentialToken): Promise<TokenCreation> {
    return createUploadToken(this.#context, token);
  }

  listUploadTokens(slice: TokenSlice): Promise<StoredUploadToken[]> {
    return listUploadTokens(this.#context, slice);
  }

  /** The token is refused from the call on. @param makerId as in `TokenSlice` @returns false if there is no such token */
  revokeUploadToken(id: string, makerId?: string): Promise<boolean> {
    return revokeUploadToken(this.#context, id, makerId);
  }

  // Shares: pages of files for everyone who has their URL.

  createShare(share: StoredShare, token: GuestToken): Promise<"created" | "too-many" | "gone"> {
    return createShare(this.#context, share, token);
  }

  /** Newest first. */
  listShares(slice: ShareSlice): Promise<CountedShare[]> {
    return listShares(this.#context, slice);
  }

  findShare(id: string): Promise<CountedShare | undefined> {
    return findShare(this.#context, id);
  }

  /** @returns the share after the change; `no-folder` if guests cannot upload because it is no folder's */
  changeShare(id: string, change: ShareChange, token: GuestToken): Promise<CountedShare | "unknown" | "no-folder"> {
    return changeShare(this.#context, id, change, token);
  }

  /** @returns whether there was such a share */
  deleteShare(id: string): Promise<boolean> {
    return deleteShare(this.#context, id);
  }

  renewGuestToken(id: string, token: Omit<GuestToken, "id">): Promise<void> {
    return renewGuestToken(this.#context, id, token);
  }

  /** Opens a share for a visitor. */
  visitShare(id: string, kind: VisitKind): Promise<ShareVisit> {
    return visitShare(this.#context, id, kind);
  }

  // Saved searches: views of the library that the owner has named.

  listSavedSearches(): Promise<SavedSearch[]> {
    return listSavedSearches(this.#context);
  }

  addSavedSearch(search: SavedSearch): Promise<SavedSearch | "full" | "gone"> {
    return addSavedSearch(this.#context, search);
  }

  /** @returns undefined if there is no such search */
  changeSavedSearch(id: string, change: Partial<Omit<SavedSearch, "id">>): Promise<SavedSearch | undefined> {
    return changeSavedSearch(this.#context, id, change);
  }

  /** @returns whether there was such a search */
  removeSavedSearch(id: string): Promise<boolean> {
    return removeSavedSearch(this.#context, id);
  }

  /** The time of each key's last use, by key id, exact to the minute. */
  async keyUses(): Promise<Record<string, number>> {
    return this.#context.tables.credentials.keyUses();
  }

  // The account's life.

  /** @returns false if the email is taken, or was not invited */
  register(account: Account, uploadKey: Key, session: NewSession, invitation: string | null = null): Promise<boolean> {
    return register(this.#context, account, uploadKey, session, invitation);
  }

  unregister(): Promise<void> {
    return unregister(this.#context);
  }

  setTier(change: TierChange): Promise<void> {
    return setTier(this.#context, change);
  }

  /** @returns all settings after the change; undefined if the account no longer exists */
  setSettings(change: Partial<AccountSettings>): Promise<AccountSettings | undefined> {
    return setSettings(this.#context, change);
  }

  /** @returns the rules after the change; undefined if the account does not exist */
  changeFileRules(change: FileRulesChange): Promise<FileRules | undefined> {
    return changeFileRules(this.#context, change);
  }

  /** Adds or replaces a preset or a signing key. @returns undefined if the account does not exist */
  putNamedRule(rule: NamedRule, name: string, value: string): Promise<"stored" | "full" | undefined> {
    return putNamedRule(this.#context, rule, name, value);
  }

  /** @returns false if there is no such preset or signing key */
  deleteNamedRule(rule: NamedRule, name: string): Promise<boolean> {
    return deleteNamedRule(this.#context, rule, name);
  }

  /** The rules for the account's files. */
  readFileRules(): Promise<FileRules> {
    return readFileRules(this.#context);
  }

  /** @returns `refused` if the session has ended since the request was admitted */
  erase(sessionId: string): Promise<Erasure | Refused> {
    return erase(this.#context, sessionId);
  }

  /** The state of an erasure; undefined if none was requested or its record expired. */
  async erasure(): Promise<Erasure | undefined> {
    return findErasure(this.#context.tables);
  }

  // The operator's hand.

  /** @returns undefined if there is no such account */
  suspend(rules: Omit<Suspension, "suspendedAt">): Promise<Suspension | undefined> {
    return suspend(this.#context, rules);
  }

  /** @returns false if there is no such account */
  unsuspend(): Promise<boolean> {
    return unsuspend(this.#context);
  }

  /** Undefined if the account is not suspended. */
  suspension(): Promise<Suspension | undefined> {
    return findSuspension(this.#context);
  }

  /** Ends every session. @returns false if there is no such account */
  endSessions(): Promise<boolean> {
    return endSessions(this.#context);
  }

  eraseForOperator(): Promise<Erasure | Refused> {
    return eraseForOperator(this.#context);
  }

  /** Takes a file down at once. A repeated call returns the first takedown. */
  takeDown(order: TakedownOrder): Promise<TakedownAnswer> {
    return takeDown(this.#context, order);
  }

  restoreFile(uploadId: string, takedownId: string): Promise<RestoreAnswer> {
    return restoreFile(this.#context, uploadId, takedownId);
  }

  /** A page of the account's tables for a backup; undefined if there is no such account. */
  readBackup(after?: string): Promise<AccountPage | undefined> {
    return readAccount(this.#context, after);
  }

  /** Writes pages of a backup; the first call empties the object. */
  restoreBackup(
    pages: readonly RestoredPage[],
    place: { readonly isFirst: boolean; readonly isLast: boolean },
  ): Promise<RestoreOutcome> {
    return restoreAccount(this.#context, pages, place);
  }

  // Usage: views, requests of keys, the operation log and its days.

  recordViews(views: readonly View[], packs: readonly ViewPack[] = []): Promise<void> {
    return recordViews(this.#context, views, packs);
  }

  /** @param batchId the same in a repeated call: a batch is added once */
  async recordKeyRequests(batchId: string, requests: readonly KeyRequests[]): Promise<void> {
    recordKeyRequests(this.#context, batchId, requests);
  }

  /** A key's requests on these days (since the epoch, UTC), both included. */
  async listKeyRequests(keyId: string, fromDay: number, toDay: number): Promise<KeyRequests[]> {
    return listKeyRequests(this.#context, keyId, fromDay, toDay);
  }

  /** Operations of the last 90 days before a position, newest first. */
  walkOperations(limit: number, before?: LogPosition): Promise<Operation[]> {
    return walkOperations(this.#context, limit, before);
  }

  /** A page of the operations of the last 90 days, newest first. */
  listOperations(filter: LogFilter, slice: LogSlice): Promise<LogPage> {
    return listOperations(this.#context, filter, slice);
  }

  /** The counts of these days, both included (`dayOf`); days without operations are left out. */
  listOperationDays(from: number, to: number): Promise<OperationDay[]> {
    return listOperationDays(this.#context, from, to);
  }

  // Usage alerts.

  /** The usage alerts of the last year, newest first. */
  async listAlerts(): Promise<ListedAlert[]> {
    return this.#context.tables.ledger.alerts.list();
  }

  /** Begins an attempt to mail an alert. Returns undefined if it was begun before, or nothing is left to deliver. */
  async beginDelivery(delivery: DueDelivery): Promise<Alert | undefined> {
    return beginDelivery(this.#context, delivery);
  }

  /** Records an attempt's outcome. */
  async endDelivery(delivery: DueDelivery, outcome: DeliveryOutcome): Promise<void> {
    endDelivery(this.#context, delivery, outcome);
  }

  // Events, and the webhooks to which they are sent.

  /** Announces changes that a request is about to make in D1. @returns undefined if nobody wants their events */
  announceChanges(announcement: Announcement): Promise<AnnouncedChanges | undefined> {
    return announceChanges(this.#context, announcement);
  }

  /** The events after a place, in order. From the first call on, events are recorded. @returns undefined if the account no longer exists */
  readEvents(start: number, limit: number): Promise<EventSlice | undefined> {
    return readEvents(this.#context, start, limit);
  }

  /** @returns undefined if the account no longer exists */
  putWebhook(webhook: NewWebhook): Promise<WebhookPut | undefined> {
    return putWebhook(this.#context, webhook);
  }

  /** Oldest first. */
  listWebhooks(): Promise<ListedWebhook[]> {
    return listWebhooks(this.#context);
  }

  /** A webhook and the delivery of its last alert. */
  findAlertWebhook(name: string): Promise<FoundWebhook | undefined> {
    return findAlertWebhook(this.#context, name);
  }

  /** @returns whether there was one */
  async deleteWebhook(name: string): Promise<boolean> {
    return deleteWebhook(this.#context, name);
  }

  /** The last deliveries of a webhook, newest first, with their events; undefined if there is no such webhook. */
  listDeliveries(name: string): Promise<ListedDeliveries | undefined> {
    return listDeliveries(this.#context, name);
  }

  /** Lists a try that a request made. */
  async noteDelivery(name: string, delivery: ListedDelivery): Promise<void> {
    noteDelivery(this.#context, name, delivery);
  }

  /** Begins a run. @returns undefined if nothing is left to send, or another consumer sends it */
  async beginRun(due: DueRun): Promise<BegunRun | undefined> {
    return beginRun(this.#context, due);
  }

  /** Settles a run. @returns more events, if the consumer continues */
  async endRun(due: DueRun, end: RunEnd): Promise<BegunRun | undefined> {
    return endRun(this.#context, due, end);
  }

  // The service itself: the operator, the nightly job and the alarm.

  /** Open intents by id. @param afterId only intents after this one */
  async listIntents(limit: number, afterId?: string): Promise<IntentSummary[]> {
    return listIntents(this.#context, limit, afterId);
  }

  retryIntent(id: string): Promise<IntentRetry> {
    return retryIntent(this.#context, id);
  }

  reconcile(order: ReconcileOrder): Promise<ReconcileStep> {
    return reconcileStep(this.#context, order);
  }

  override alarm(): Promise<void> {
    return ringAlarm(this.#context);
  }
}
