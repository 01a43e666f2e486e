import type { Upload } from "../../db/library/schema.ts";
import type { OperationClass, OperationType } from "../../domain/allowance.ts";

export interface Operation {
  /** Identifies the change or the view. An id is counted once, even if it is recorded several times. */
  readonly id: string;
  readonly type: OperationType;
  readonly at: number;
  readonly resourceId: string;
  readonly keyId: string | null;
  /** The upload's row, which restores it if the library loses it. */
  readonly row?: UploadRow | undefined;
}

/** An operation that is not counted yet. Its time will be the time of counting. */
export type UncountedOperation = Omit<Operation, "at">;

/** A filter of the log; all conditions apply together. A view has no key. */
export interface LogFilter {
  readonly type?: OperationType | undefined;
  readonly class?: OperationClass | undefined;
  readonly keyId?: string | undefined;
  /** Inclusive. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly until?: number | undefined;
}

/** An upload's row in the library at the time of settlement. */
export type UploadRow = Omit<Upload, "accountId">;

/** Whether an upload was stored, and whether it was deleted since, within the log's 90 days. */
export type LoggedUpload = "stored" | "deleted" | "unknown";

/** If the log has this id, the upload is stored, or was stored and deleted. */
export function uploadOperationId(uploadId: string): string {
  return `upload:${uploadId}`;
}

/** If the log has this id, the upload was deleted. */
export function deleteOperationId(uploadId: string): string {
  return `delete:${uploadId}`;
}

/** If the log has this id, the upload has got the bytes that were stored as this replacement. */
export function replaceOperationId(uploadId: string, replacementId: string): string {
  return `replace:${uploadId}:${replacementId}`;
}

interface Change {
  readonly uploadId: string;
  readonly keyId: string | null;
}

/** The operation of a stored upload. A second settlement has the same id, so it counts nothing. */
export function uploadOperation({ uploadId, keyId }: Change, row?: UploadRow): UncountedOperation {
  return { id: uploadOperationId(uploadId), type: "upload", resourceId: uploadId, keyId, row };
}

/** The operation of new bytes. It counts like an upload. */
export function replaceOperation({
  uploadId,
  replacementId,
  keyId,
}: Change & { readonly replacementId: string }): UncountedOperation {
  return { id: replaceOperationId(uploadId, replacementId), type: "upload", resourceId: uploadId, keyId };
}

export function deleteOperation({ uploadId, keyId }: Change): UncountedOperation {
  return { id: deleteOperationId(uploadId), type: "delete", resourceId: uploadId, keyId };
}

/** The part of a row that the log keeps. */
export function toLoggedRow({ accountId: _, ...row }: Upload): UploadRow {
  return row;
}
