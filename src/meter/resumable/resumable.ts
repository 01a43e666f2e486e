import type { Upload } from "../../db/library/schema.ts";
import type { CameraFacts } from "../../domain/camera-facts.ts";
import type { ImportItemRef } from "../../domain/imports.ts";
import type { MediaType } from "../../domain/media-types.ts";
import { storedKey } from "../../domain/object-key.ts";
import type { Actor } from "../../domain/principal.ts";
import type { NewUploadFacts } from "../../domain/upload-facts.ts";
import type { Visibility } from "../../domain/visibility.ts";

/** The facts in the request that created the upload. */
export interface ResumableFacts {
  /** `Upload-Metadata` as it was sent; null if the request had none. */
  readonly metadata: string | null;
  readonly filename: string;
  /** Null for Root. */
  readonly folderId: string | null;
  readonly tags: string[];
  /** Uploads of earlier versions have none. */
  readonly upload?: NewUploadFacts;
  /** Earlier versions stored none: public. */
  readonly visibility?: Visibility;
  /** The key or upload token that the operation is logged with; null for a session. */
  readonly keyId: string | null;
  /** The upload token that counts the file. */
  readonly tokenId?: string;
  /** Earlier versions stored none. */
  readonly uploadedBy?: Actor;
  /** Whether no second file with the same bytes is stored. */
  readonly dedupe?: true;
  /** Whether an image is compressed, in place of the account's setting. */
  readonly compress?: boolean;
  /** The upload that has the same bytes, after this one has ended. */
  readonly duplicateOf?: string;
  /** The item of an import that the upload completes. */
  readonly importItem?: ImportItemRef;
  /** Identifies the version of the source that an import fetches: a strong ETag, or the time of its last change. */
  readonly validator?: string;
}

/** The facts in the upload's first part. Uploads of earlier versions have no facts of a camera. */
export interface ResumableFile extends Partial<CameraFacts> {
  /** The path in URLs. `resumableKey` is the key in R2. */
  readonly objectKey: string;
  /** Earlier versions stored none: public. */
  readonly visibility?: Visibility;
  readonly originalFilename: string;
  readonly mimeType: MediaType;
  readonly width: number;
  readonly height: number;
  readonly multipartId: string;
  /** The position of the first box behind the first part, if that part of the film has no facts. */
  readonly farBoxAt?: number | undefined;
  /** The state of the removal of metadata after the last part; undefined if all metadata is kept. Only the writer reads it. */
  readonly scrub?: string | undefined;
  /** The state of the file's SHA-256 after the last part; undefined if an older version received a part. Only the writer reads it. */
  readonly hashes?: string | undefined;
  /** The SHA-256 of the whole file as it is stored and, if that differs, as it was uploaded; undefined until the last part, or if unknown. */
  readonly sha256?: Pick<Upload, "sha256" | "uploadedSha256"> | undefined;
}

/** The R2 key of an upload's bytes. */
export function resumableKey({
  objectKey,
  visibility = "public",
}: Pick<ResumableFile, "objectKey" | "visibility">): string {
  return storedKey({ objectKey, visibility });
}

/** `removed`: no client can reach it any more; its R2 upload still has to be aborted. */
export type ResumableState = "receiving" | "done" | "removed";

/** An upload in pieces. Sizes are bytes, times milliseconds since the epoch. */
export interface Resumable {
  readonly id: string;
  /** Null until the client has sent the length. */
  readonly length: number | null;
  /** The number of stored bytes: those before `tailStart` are in R2's parts, the others in the tail. */
  readonly offset: number;
  readonly tailStart: number;
  readonly reservedBytes: number;
  readonly facts: ResumableFacts;
  /** Null until the first part was begun. */
  readonly file: ResumableFile | null;
  readonly nextPart: number;
  /** The request that may write until `leaseUntil`; null if no request may. */
  readonly writer: string | null;
  readonly leaseUntil: number;
  /** Whether another request waits for the writer to stop. */
  readonly isWanted: boolean;
  readonly state: ResumableState;
  /** The time at which the last byte arrived. */
  readonly touchedAt: number;
  readonly createdAt: number;
  /** The time at which the alarm handles the upload next. */
  readonly dueAt: number;
}
