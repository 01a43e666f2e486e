import type { EmailSetting } from "../../db/directory/account-changes.ts";
import type { NewUploadKey } from "../../db/directory/keys.ts";
import type { Key } from "../../db/directory/schema.ts";
import type { NewContent } from "../../db/library/replace-content.ts";
import type { AccountSettings } from "../../domain/account-settings.ts";
import type { FileRules } from "../../domain/file-rules.ts";
import type { Shard } from "../../domain/ids.ts";
import type { ImportItemRef } from "../../domain/imports.ts";
import type { Actor } from "../../domain/principal.ts";
import type { TierName } from "../../domain/tiers.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Claim } from "../books/request-claims.ts";
import type { StoredTakedown } from "../books/takedown-store.ts";

/**
 * A change that spans stores. It is announced to the account's Durable Object before R2 or D1 is touched. If it is not settled in time, the
 * object's alarm finishes or undoes it (`perform-intent.ts`).
 */
export type Intent =
  | UploadIntent
  | DeleteIntent
  | SetVisibilityIntent
  | ReplaceIntent
  | SweepIntent
  | ThumbnailIntent
  | RegisterIntent
  | MoveIntent
  | DeleteFolderIntent
  | { readonly kind: "revoke-key"; readonly keyId: string }
  | (AccountChange & { readonly changedAt: number })
  | SetFileRulesIntent
  | TakedownIntent
  | SetExpiryIntent
  | EraseIntent;

/**
 * A change of the account's facts in the directory. `changedAt` of the intent is its time in milliseconds; of two changes of a kind the
 * later one has the higher.
 */
export type AccountChange =
  /** Makes `key` the only upload key. */
  | { readonly kind: "replace-upload-key"; readonly key: NewUploadKey }
  | {
      readonly kind: "set-tier";
      readonly tier: TierName;
      readonly billingAnchorAt: number | null;
      /** Inserted if a Free or Starter account has no valid upload key. */
      readonly uploadKey: NewUploadKey | null;
      /** The rules for the account's files, with the tier. Undefined if R2 has them, and in intents of earlier versions. */
      readonly rules?: FileRules;
    }
  | { readonly kind: "set-password"; readonly passwordHash: string }
  | ({ readonly kind: "set-email" } & EmailSetting)
  | { readonly kind: "set-settings"; readonly settings: AccountSettings };

/** The rules for the account's files are on their way to R2. */
export interface SetFileRulesIntent {
  readonly kind: "set-file-rules";
  readonly rules: FileRules;
  /** The time of the change, like that of an `AccountChange`. */
  readonly changedAt: number;
}

/** A file is being taken down or restored. If both were requested, only the later intent exists. */
export type TakedownIntent =
  | (TakedownPass & { readonly kind: "takedown" })
  | (TakedownPass & { readonly kind: "restore-file" });

interface TakedownPass {
  readonly takedown: StoredTakedown;
  /** The second pass, which follows every late write of the first. */
  readonly isAgain?: true;
}

/** Whether an intent repeats a change, because it must follow every late write. */
export function isSecondPass(intent: Intent): boolean {
  return "isAgain" in intent && intent.isAgain === true;
}

export function takedownIntentId(uploadId: string): string {
  return `takedown:${uploadId}`;
}

/** The expiry of an upload is copied from the object's table to the library. */
export interface SetExpiryIntent {
  readonly kind: "set-expiry";
  readonly uploadId: string;
  /** Milliseconds since the epoch; null for never. Distinguishes changes: each pass writes the value of the object's table. */
  readonly at: number | null;
  /** The second pass, which follows every late write of the first. */
  readonly isAgain?: true;
}

export interface EraseIntent {
  readonly kind: "erase";
  /** The session that requested the erasure. */
  readonly sessionId?: string;
  /** The time since which R2 and D1 have nothing of the account and nothing more can arrive. */
  readonly emptiedAt?: number;
}

export interface UploadIntent {
  readonly kind: "upload";
  readonly uploadId: string;
  /** The path of the bytes as they arrive. */
  readonly objectKey: string;
  /** The visibility with which they arrive; absent: public. The row decides where they are in the end. */
  readonly visibility?: Visibility;
  /** The path of the compressed form, if it differs: a static GIF becomes a PNG. */
  readonly resultKey?: string;
  /** The key or upload token that the operation is logged with; null for a session. */
  readonly keyId: string | null;
  /** The upload token that counts the file. */
  readonly tokenId?: string;
  /** The item of an import that the upload completes. */
  readonly importItem?: ImportItemRef;
  /** The claim of its request, if the request has an idempotency key. */
  readonly claim?: Claim;
  /** R2's id of an unfinished multipart upload, after it was created. */
  readonly multipartUploadId?: string;
  /** All bytes have arrived in pieces: the upload is finished, never undone (`finish-resumable.ts`). */
  readonly isResumable?: true;
  /** The quality of the compression, if the file is compressed. */
  readonly quality?: number;
  /** The file that gets the bytes. The upload gets no row: its intent becomes a `ReplaceIntent`, or is undone. */
  readonly replaces?: string;
  /** Bytes of that file that the reservation does not contain, because they become free. One replacement of a file at a time has them. */
  readonly creditBytes?: number;
}

export interface DeleteIntent {
  readonly kind: "delete";
  readonly uploadId: string;
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly keyId: string | null;
  /** The upload is deleted only if it is in the trash when its row is deleted. Otherwise the intent is dropped, and nothing changes. */
  readonly onlyFrom?: "trash";
}

/** A file turns public or private: its objects move to other keys. If both were requested, only the later intent exists. */
export interface SetVisibilityIntent {
  readonly kind: "set-visibility";
  readonly uploadId: string;
  /** The file's path, by which a deleted file's objects are removed. */
  readonly objectKey: string;
  readonly visibility: Visibility;
  /** The second pass, which follows every late write of the first. */
  readonly isAgain?: true;
}

/**
 * A file gets new bytes, which are stored already. The intent is only carried forward, never undone. Each replacement has an intent of its
 * own, because its second pass removes its own remains. The replacements of one file are carried out in order.
 */
export interface ReplaceIntent {
  readonly kind: "replace";
  readonly uploadId: string;
  /** The upload as which the new bytes were stored. */
  readonly replacementId: string;
  readonly from: { readonly objectKey: string; readonly sizeBytes: number };
  readonly to: NewContent;
  readonly keyId: string | null;
  readonly creditBytes?: number;
  /** The second pass, which follows every late write of the first. */
  readonly isAgain?: true;
}

const REPLACE = "replace:";

/** The ids of all replacements of an upload begin with this. */
export function replacePrefix(uploadId: string): string {
  return `${REPLACE}${uploadId}:`;
}

/** The upload whose bytes the intent with this id replaces; undefined for other intents. */
export function replacedBy(intentId: string): string | undefined {
  return intentId.startsWith(REPLACE) ? intentId.split(":")[1] : undefined;
}

export function visibilityIntentId(uploadId: string): string {
  return `set-visibility:${uploadId}`;
}

export interface DeleteFolderIntent {
  readonly kind: "delete-folder";
  readonly folderId: string;
  /** The request that began the deletion and gets the answer 200. Earlier versions stored none. */
  readonly request?: string;
  /** The caller, for the history of the uploads. Earlier versions stored none. */
  readonly by?: Actor;
}

/** The remains of an upload have to be removed: its request removes them, or was taken for dead and may have written since. */
export interface SweepIntent {
  readonly kind: "sweep";
  readonly uploadId: string;
  /** All paths that the upload may have. */
  readonly objectKeys: readonly string[];
  /** The visibility of the unfinished multipart upload; absent: public. */
  readonly visibility?: Visibility;
  /** The unfinished multipart upload of the first path. */
  readonly multipartUploadId?: string;
}

/** The sweep for an upload that the alarm or its request undoes. */
export function toSweep({ uploadId, objectKey, resultKey, visibility, multipartUploadId }: UploadIntent): SweepIntent {
  const objectKeys = resultKey === undefined ? [objectKey] : [objectKey, resultKey];
  return {
    kind: "sweep",
    uploadId,
    objectKeys,
    ...(visibility !== undefined && { visibility }),
    ...(multipartUploadId !== undefined && { multipartUploadId }),
  };
}

/** A video's thumbnail is being written to R2. */
export interface ThumbnailIntent {
  readonly kind: "thumbnail";
  readonly uploadId: string;
  /** The path of the video's bytes. Earlier versions stored none. */
  readonly objectKey?: string;
  /** Another consumer announced it before, and may still put its object: the intent stays until it is due. */
  readonly isRepeated?: true;
}

/** The account is being opened. If that is interrupted it is undone, because the client gets an error. */
export interface RegisterIntent {
  readonly kind: "register";
}

/** The library is being moved to another shard (`move-pass.ts`). */
export interface MoveIntent {
  readonly kind: "move";
  readonly from: Shard;
  readonly to: Shard;
  /**
   * `begun`: the move waits for uploads in progress. `copying`: writes to the library are rejected. `returning`: the copy is given up.
   * `arrived`: the library is in the new shard. `clearing`: the old rows are being deleted.
   */
  readonly stage: "begun" | "copying" | "returning" | "arrived" | "clearing";
  readonly begunAt: number;
  /** The last upload that was copied. */
  readonly after: CopiedUpTo | null;
}

/** A position in the order of copying: by status, then by number, which may exceed a JavaScript number. */
export interface CopiedUpTo {
  readonly status: UploadStatus;
  readonly number: string;
}

/** A new upload key as a row of the directory. */
export function toUploadKey(accountId: string, { id, hash, lastFour, createdAt }: NewUploadKey): Key {
  const facts = { id, accountId, kind: "upload" as const, name: "Upload key", hash, lastFour, scopes: [], createdAt };
  return { ...facts, revokedAt: null, expiresAt: null, folderId: null };
}

export function uploadIntentId(uploadId: string): string {
  return `upload:${uploadId}`;
}

export function sweepIntentId(uploadId: string): string {
  return `sweep:${uploadId}`;
}

export function deleteIntentId(uploadId: string): string {
  return `delete:${uploadId}`;
}

export function expiryIntentId(uploadId: string): string {
  return `set-expiry:${uploadId}`;
}

/** The id of an intent. A second intent of the same kind for the same resource has the same id, and replaces the first. */
export function intentId(intent: Intent): string {
  switch (intent.kind) {
    case "upload":
      return uploadIntentId(intent.uploadId);
    case "sweep":
      return sweepIntentId(intent.uploadId);
    case "delete":
      return deleteIntentId(intent.uploadId);
    case "thumbnail":
      return `${intent.kind}:${intent.uploadId}`;
    case "set-expiry":
      return expiryIntentId(intent.uploadId);
    case "replace":
      return replacePrefix(intent.uploadId) + intent.replacementId;
    case "set-visibility":
      return visibilityIntentId(intent.uploadId);
    case "takedown":
    case "restore-file":
      return takedownIntentId(intent.takedown.uploadId);
    case "delete-folder":
      return `${intent.kind}:${intent.folderId}`;
    case "revoke-key":
      return `${intent.kind}:${intent.keyId}`;
    case "register":
    case "move":
    case "replace-upload-key":
    case "set-tier":
    case "set-password":
    case "set-email":
    case "set-settings":
    case "set-file-rules":
    case "erase":
      return intent.kind;
  }
}
