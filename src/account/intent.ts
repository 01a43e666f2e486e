import type { TierName } from "../domain/tiers.ts";

/**
 * A change that spans stores, announced to the account's Durable Object before R2 or D1 is touched. One that is not settled
 * in time is finished or undone by the object's alarm (`perform-intent.ts`).
 */
export type Intent =
  | UploadIntent
  | DeleteIntent
  | ThumbnailIntent
  | { readonly kind: "revoke-key"; readonly keyId: string }
  | {
      readonly kind: "set-tier";
      readonly tier: TierName;
      readonly billingAnchorAt: number | null;
      /** Inserted where a Free or Starter account has no upload key that lives. */
      readonly uploadKey: NewUploadKey | null;
    }
  | { readonly kind: "set-password"; readonly passwordHash: string }
  | { readonly kind: "erase" };

export interface UploadIntent {
  readonly kind: "upload";
  readonly uploadId: string;
  readonly objectKey: string;
  /** The key that pays for it, null for a session. */
  readonly keyId: string | null;
  /** R2's id of an unfinished multipart upload, once there is one. */
  readonly multipartUploadId?: string;
}

export interface DeleteIntent {
  readonly kind: "delete";
  readonly uploadId: string;
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly keyId: string | null;
}

/** The bytes of a video's thumbnail are on their way to R2. */
export interface ThumbnailIntent {
  readonly kind: "thumbnail";
  readonly uploadId: string;
}

export interface NewUploadKey {
  readonly id: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAt: number;
}

export function uploadIntentId(uploadId: string): string {
  return `upload:${uploadId}`;
}

/** One intent of a kind for a resource: saying it twice changes nothing. */
export function intentId(intent: Intent): string {
  switch (intent.kind) {
    case "upload":
      return uploadIntentId(intent.uploadId);
    case "delete":
    case "thumbnail":
      return `${intent.kind}:${intent.uploadId}`;
    case "revoke-key":
      return `${intent.kind}:${intent.keyId}`;
    case "set-tier":
    case "set-password":
    case "erase":
      return intent.kind;
  }
}
