import type { FileResult } from "./commit/commit-uploads.ts";
import { claimBytes, findDuplicate, uploadedHash } from "./known-bytes.ts";
import type { StoredFile } from "./store/identify-file.ts";
import type { UploadRun } from "./upload-run.ts";

/**
 * Undoes files whose bytes are stored by another upload, or by an earlier file of the same request (UP-14). Until the request's uploads are
 * settled, no other request that dedupes stores the same bytes.
 * @throws ServiceError 503 if another request takes too long to store the same bytes
 */
export async function dropDuplicates(run: UploadRun, results: readonly FileResult[]): Promise<FileResult[]> {
  const firsts = new Map<string, StoredFile>();
  for (const result of results) {
    const hash = "file" in result ? uploadedHash(result.file) : null;
    if ("file" in result && hash !== null && !firsts.has(hash)) firsts.set(hash, result.file);
  }
  if (firsts.size === 0) return [...results];
  await claimBytes(
    run.account,
    [...firsts].map(([sha256, { uploadId }]) => ({ uploadId, sha256 })),
  );
  const stored = new Map<string, FileResult>();
  for (const [sha256, { visibility }] of firsts) {
    const duplicate = await findDuplicate(run.account, { sha256, visibility });
    if (duplicate !== undefined) stored.set(sha256, { duplicate });
  }
  const left: FileResult[] = [];
  for (const result of results) {
    const hash = "file" in result ? uploadedHash(result.file) : null;
    const first = hash === null ? undefined : firsts.get(hash);
    if (!("file" in result) || hash === null || first === undefined) {
      left.push(result);
      continue;
    }
    const { uploadId } = result.file;
    const other = stored.get(hash) ?? (first.uploadId === uploadId ? undefined : { sameAs: first });
    if (other !== undefined) await run.open.undo(uploadId);
    left.push(other ?? result);
  }
  return left;
}
