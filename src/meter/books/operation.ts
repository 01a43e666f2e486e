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
