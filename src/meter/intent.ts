import type { NewUploadKey } from "../db/directory/keys.ts";
import type { Key } from "../db/directory/schema.ts";
import type { AccountSettings } from "../domain/account-settings.ts";
import type { Shard } from "../domain/shard.ts";
import type { TierName } from "../domain/tiers.ts";
import type { UploadStatus } from "../domain/upload-status.ts";
import type { Claim } from "./request-claims.ts";

/**
 * A change that spans stores, announced to the account's Durable Object before R2 or D1 is touched. One that is not settled
 * in time is finished or undone by the object's alarm (`perform-intent.ts`).
 */
export type Intent =
  | UploadIntent
  | DeleteIntent
  | SweepIntent
  | ThumbnailIntent
  | RegisterIntent
  | MoveIntent
  | { readonly kind: "delete-folder"; readonly folderId: string }
  | { readonly kind: "revoke-key"; readonly keyId: string }
  | (AccountChange & { readonly changedAt: number })
  | EraseIntent;

/**
 * A change of what the directory says of the account. `changedAt` of the intent: when it was made, in milliseconds; of two changes of a
 * kind the later one has the higher.
 */
export type AccountChange =
  /** From here on `key` is the only upload key. */
  | { readonly kind: "replace-upload-key"; readonly key: NewUploadKey }
  | {
      readonly kind: "set-tier";
      readonly tier: TierName;
      readonly billingAnchorAt: number | null;
      /** Inserted where a Free or Starter account has no upload key that lives. */
      readonly uploadKey: NewUploadKey | null;
    }
  | { readonly kind: "set-password"; readonly passwordHash: string }
  | { readonly kind: "set-settings"; readonly settings: AccountSettings };

export interface EraseIntent {
  readonly kind: "erase";
  /** In which it was asked for. */
  readonly sessionId?: string;
  /** Since when nothing of the account is in R2 and D1, and nothing can come any more. */
  readonly emptiedAt?: number;
}

export interface UploadIntent {
  readonly kind: "upload";
  readonly uploadId: string;
  /** Where its bytes are put as they come. */
  readonly objectKey: string;
  /** Where its compressed form is put, if that is another key: a static GIF becomes a PNG. */
  readonly resultKey?: string;
  /** The key that pays for it, null for a session. */
  readonly keyId: string | null;
  /** The request that brings it, where that bears an idempotency key. */
  readonly claim?: Claim;
  /** R2's id of an unfinished multipart upload, once there is one. */
  readonly multipartUploadId?: string;
  /** Its bytes came in pieces and are all there: it is finished, never undone (`finish-resumable.ts`). */
  readonly isResumable?: true;
  /** The quality that it is being compressed with, if it is. */
  readonly quality?: number;
}

export interface DeleteIntent {
  readonly kind: "delete";
  readonly uploadId: string;
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly keyId: string | null;
}

/** Nothing of this upload is to be there: its request removes it, or was taken for dead and may have written something since. */
export interface SweepIntent {
  readonly kind: "sweep";
  readonly uploadId: string;
  /** Everything that may be in R2 of it. */
  readonly objectKeys: readonly string[];
  /** Of the first of them, where it was unfinished. */
  readonly multipartUploadId?: string;
}

/** What is to be looked after once an upload is undone, or is being undone by its request. */
export function toSweep({ uploadId, objectKey, resultKey, multipartUploadId }: UploadIntent): SweepIntent {
  const objectKeys = resultKey === undefined ? [objectKey] : [objectKey, resultKey];
  return { kind: "sweep", uploadId, objectKeys, ...(multipartUploadId !== undefined && { multipartUploadId }) };
}

/** A video's thumbnail is on its way to R2. */
export interface ThumbnailIntent {
  readonly kind: "thumbnail";
  readonly uploadId: string;
}

/** The account is being opened. Undone where that was cut short: its owner was told that there is none. */
export interface RegisterIntent {
  readonly kind: "register";
}

/** The library is on its way to another shard (`move-library.ts`). */
export interface MoveIntent {
  readonly kind: "move";
  readonly from: Shard;
  readonly to: Shard;
  /**
   * `begun`: it waits for uploads under way. `copying`: the library is not written to. `returning`: the copy is given up. `arrived`:
   * the library is in the new shard. `clearing`: its old rows have to go.
   */
  readonly stage: "begun" | "copying" | "returning" | "arrived" | "clearing";
  readonly begunAt: number;
  /** The last upload that was copied. */
  readonly after: CopiedUpTo | null;
}

/** A place in the order in which uploads are copied: by status, then by number, which is no JavaScript number. */
export interface CopiedUpTo {
  readonly status: UploadStatus;
  readonly number: string;
}

/** A new upload key as the directory has it. */
export function toUploadKey(accountId: string, { id, hash, lastFour, createdAt }: NewUploadKey): Key {
  return { id, accountId, kind: "upload", name: "Upload key", hash, lastFour, scopes: [], createdAt, revokedAt: null };
}

export function uploadIntentId(uploadId: string): string {
  return `upload:${uploadId}`;
}

export function sweepIntentId(uploadId: string): string {
  return `sweep:${uploadId}`;
}

/** The id of an intent. A second intent of the same kind for the same resource has the same id, and replaces the first. */
export function intentId(intent: Intent): string {
  switch (intent.kind) {
    case "upload":
      return uploadIntentId(intent.uploadId);
    case "sweep":
      return sweepIntentId(intent.uploadId);
    case "delete":
    case "thumbnail":
      return `${intent.kind}:${intent.uploadId}`;
    case "delete-folder":
      return `${intent.kind}:${intent.folderId}`;
    case "revoke-key":
      return `${intent.kind}:${intent.keyId}`;
    case "register":
    case "move":
    case "replace-upload-key":
    case "set-tier":
    case "set-password":
    case "set-settings":
    case "erase":
      return intent.kind;
  }
}
