import { type NewContent, replaceContent } from "../../db/library/replace-content.ts";
import type { Upload } from "../../db/library/schema.ts";
import { setVisibility } from "../../db/library/visibility.ts";
import { toPath } from "../../domain/object-key.ts";
import type { UploadRow } from "../books/operation.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import type { Comparison } from "./comparison.ts";

/** The present file of an upload whose row, in a restored database, has an earlier path or visibility. */
export interface Present {
  readonly path: string;
  readonly key: string;
  readonly object: R2Object;
  /** The account's log knows the facts of bytes that replaced others in its time. */
  readonly logged: UploadRow | undefined;
}

interface Seen {
  readonly files: readonly R2Object[];
  readonly pointer: string | undefined;
}

/**
 * Finds the file of an upload that is not where its row says. The log names the newest bytes; for older replacements the object does to
 * which earlier URLs lead.
 */
export function findPresent({ tables }: Comparison, row: Upload, { files, pointer }: Seen): Present | undefined {
  const logged = tables.ledger.log.findRow(row.id);
  for (const path of [logged?.objectKey, pointer, row.objectKey]) {
    const object = files.find(({ key }) => toPath(key).path === path);
    if (path === undefined || object === undefined) continue;
    return { path, key: object.key, object, logged: logged?.objectKey === path ? logged : undefined };
  }
  return undefined;
}

/** Gives a row the path, visibility and facts of its present file. */
export function renewRow({ library }: AccountStores, row: Upload, present: Present): () => Promise<boolean> {
  return async () => {
    if (present.path !== row.objectKey) await replaceContent(library, row, contentOf(row, present));
    const { visibility } = toPath(present.key);
    if (visibility !== row.visibility) await setVisibility(library, row, visibility);
    return true;
  };
}

/** The facts of bytes that are older than the log: only their size in pixels is known. */
const UNKNOWN = {
  compressionQuality: null,
  takenAt: null,
  camera: null,
  lens: null,
  exposure: null,
  location: null,
  sha256: null,
  uploadedSha256: null,
  placeholder: null,
} as const;

function contentOf(row: Upload, { path, object, logged }: Present): NewContent {
  const { size: sizeBytes, httpMetadata } = object;
  const { width, height } = row;
  const mimeType = httpMetadata?.contentType ?? row.mimeType;
  const facts = logged ?? { ...UNKNOWN, mimeType, originalSizeBytes: sizeBytes, width, height };
  return {
    objectKey: path,
    sizeBytes,
    mimeType: facts.mimeType,
    originalSizeBytes: facts.originalSizeBytes,
    compressionQuality: facts.compressionQuality,
    width: facts.width,
    height: facts.height,
    takenAt: facts.takenAt,
    camera: facts.camera,
    lens: facts.lens,
    // Rows that the log kept before have none.
    exposure: facts.exposure ?? null,
    location: facts.location ?? null,
    sha256: facts.sha256,
    uploadedSha256: facts.uploadedSha256,
    placeholder: facts.placeholder,
  };
}
