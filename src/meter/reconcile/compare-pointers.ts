import { createHash } from "node:crypto";
import type { Upload } from "../../db/library/schema.ts";
import { isReplaced, movedKey } from "../../domain/object-key.ts";
import type { LoggedUpload } from "../books/operation.ts";
import type { Comparison } from "./comparison.ts";
import { type Difference, done } from "./difference.ts";
import type { Present } from "./outdated-row.ts";

// The object at `movedKey` leads earlier URLs of an upload whose bytes were replaced to its present path (REPL-2).

type Row = Pick<Upload, "objectKey">;

/** Compares the listed object without reading it: the ETag of a small object is the MD5 of its bytes. */
export function isPointerRight(pointer: R2Object | undefined, row: Row | undefined): boolean {
  const path = row && isReplaced(row.objectKey) ? row.objectKey : undefined;
  return pointer?.etag === (path && createHash("md5").update(path).digest("hex"));
}

interface Seen {
  readonly uploadId: string;
  readonly row: Row | undefined;
  readonly files: readonly R2Object[];
  readonly pointer: string | undefined;
  readonly logged: LoggedUpload;
}

/** @param present where the upload's bytes are, if its row has another path */
export function* comparePointer(
  { stores, tables }: Comparison,
  { uploadId, row, files, pointer, logged }: Seen,
  present: Present | undefined,
): Generator<Difference> {
  const key = movedKey(stores.accountId, uploadId);
  const restored = logged === "stored" ? tables.ledger.log.findRow(uploadId) : undefined;
  const path = logged === "deleted" ? undefined : (present?.path ?? row?.objectKey ?? restored?.objectKey);
  // A file that nothing explains stays, and so do its earlier URLs.
  if (path === undefined && logged !== "deleted" && files.length > 0) return;
  if (path !== undefined && isReplaced(path)) {
    if (pointer === path) return;
    const repair = () => done(stores.files.put(key, path));
    yield { kind: "pointer-differs", subject: uploadId, detail: pointer ?? "nowhere", repair };
  } else if (pointer !== undefined) {
    const repair = () => done(stores.files.delete(key));
    yield { kind: "pointer-left", subject: uploadId, detail: pointer, repair };
  }
}
