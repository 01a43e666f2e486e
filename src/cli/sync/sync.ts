import type { Client } from "../../client/index.ts";
import { MAX_FOLDERS, MAX_IDS } from "../../domain/limits.ts";
import { forEachAtOnce } from "../backup/pool.ts";
import { UsageError } from "../command-line/failures.ts";
import { folderPaths } from "../library/find-folder.ts";
import { listRemote, type RemoteFile } from "../pull/list-remote.ts";
import type { KnownUploads } from "../upload/known-uploads.ts";
import type { LocalFile } from "../upload/local-file.ts";
import { failureText } from "../upload/outcome.ts";
import { FileSender, hashFile, type SendingRun } from "../upload/send-file.ts";
import { type LocalOptions, listLocal } from "./list-local.ts";

export interface Sync extends LocalOptions, Pick<SendingRun, "baseUrl" | "env" | "note"> {
  readonly host: Client;
  /** The folder on the disk. */
  readonly local: string;
  /** The folder of the service by its path from Root; empty is Root. */
  readonly target: string;
  readonly known: KnownUploads;
  readonly concurrency: number;
  /** Moves files that are not on the disk to the trash. */
  readonly isDeleting: boolean;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
  readonly onEvent: (event: SyncEvent) => Promise<void> | void;
}

export interface SyncEvent {
  /** Below the folder. */
  readonly path: string;
  readonly status: "folder" | "uploaded" | "replaced" | "trashed" | "only-there" | "failed";
  readonly url?: string;
  readonly error?: string;
}

export interface SyncResult {
  readonly folders: number;
  readonly uploaded: number;
  readonly replaced: number;
  readonly trashed: number;
  readonly there: number;
  /** Files that differ on the two sides after the run. */
  readonly failed: number;
  readonly onlyThere: number;
}

const MAX_DEPTH = 20;
const MAX_FOLDER_CHARACTERS = 100;

interface Task {
  readonly path: string;
  readonly file: LocalFile;
  /** Uploads of this name whose bytes are others. */
  readonly older: readonly RemoteFile[];
  readonly sha256: string;
}

/**
 * Makes a folder of the service like a folder on the disk. Unchanged files are not sent again, also after an interrupted run. Nothing is
 * deleted permanently.
 * @throws UsageError, before anything is sent, if the service could not hold the folders; MediaHostError; CredentialError; SomeFailed; the
 * signal's reason
 */
export async function sync(run: Sync): Promise<SyncResult> {
  const { host, signal, concurrency, isDryRun, isDeleting, target, onEvent } = run;
  const local = await listLocal(run.local, run);
  if (isDeleting && local.files.size === 0)
    throw new UsageError(`${run.local} has no file to send; --delete would move all files to the trash`);
  const result = { folders: 0, uploaded: 0, replaced: 0, trashed: 0, there: 0, failed: 0, onlyThere: 0 };
  for (const { shownPath, reason } of local.unusable) {
    result.failed += 1;
    await onEvent({ path: shownPath, status: "failed", error: reason });
  }

  const prefix = target === "" ? "" : `${target}/`;
  const all = await host.folders.list({ signal });
  const ids = new Map<string, string | null>(folderPaths(all).map(([path, { _id }]) => [path, _id]));
  ids.set("", null);
  const wanted = [...partsOf(target), ...local.folders.map((path) => prefix + path)];
  const missing = wanted.filter((path) => !ids.has(path));
  requireRoom(all.length, missing);

  const top = ids.get(target);
  const remote = top === undefined ? { files: [], folders: [] } : await listRemote(host, top, signal);
  const pathOf = new Map([...ids].map(([path, id]) => [id, path]));
  const there = new Map<string, RemoteFile[]>();
  for (const file of remote.files) {
    const folder = pathOf.get(file.folderId);
    const path = `${folder ? `${folder}/` : ""}${file.originalFilename.normalize("NFC")}`.slice(prefix.length);
    there.set(path, [...(there.get(path) ?? []), file]);
  }

  const tasks: Task[] = [];
  const extra: { readonly path: string; readonly file: RemoteFile }[] = [];
  await forEachAtOnce(local.files, concurrency, async ([path, file]) => {
    signal.throwIfAborted();
    const candidates = there.get(path) ?? [];
    try {
      const sha256 = run.known.findDigest(file.path as string, file.stats) ?? (await hashFile(file.path, signal));
      const same = candidates.find((each) => isSame(each, file, sha256, run.known));
      if (same === undefined) tasks.push({ path, file, older: candidates, sha256 });
      else {
        result.there += 1;
        extra.push(...candidates.filter((each) => each !== same).map((each) => ({ path, file: each })));
      }
    } catch (error) {
      signal.throwIfAborted();
      result.failed += 1;
      await onEvent({ path, status: "failed", error: (error as Error).message });
    }
  });
  for (const [path, files] of there) {
    const isHere = local.files.has(path) || [...prefixesOf(path)].some((each) => local.skipped.has(each));
    if (!isHere) extra.push(...files.map((file) => ({ path, file })));
  }

  for (const path of missing) {
    const at = path.lastIndexOf("/");
    if (!isDryRun) {
      const parentId = ids.get(path.slice(0, Math.max(at, 0))) ?? null;
      ids.set(path, (await host.folders.create({ name: path.slice(at + 1), parentId }, { signal }))._id);
    }
    result.folders += 1;
    await onEvent({ path: path.slice(prefix.length) || path, status: "folder" });
  }

  const senders = new Map<string | null, FileSender>();
  const senderOf = (folderId: string | null) => {
    const { baseUrl, env, known, note } = run;
    const sender =
      senders.get(folderId) ??
      new FileSender({ host, baseUrl, env, signal, known, folderId, note, tags: [], isForced: true, isDryRun: false });
    senders.set(folderId, sender);
    return sender;
  };
  await forEachAtOnce(
    tasks.sort((a, b) => (a.path < b.path ? -1 : 1)),
    concurrency,
    async (task) => {
      const { path, file, older, sha256 } = task;
      const status = older.length === 0 ? "uploaded" : "replaced";
      if (!isDryRun) {
        const folder = (prefix + path).slice(0, Math.max((prefix + path).lastIndexOf("/"), 0));
        const outcome = await senderOf(ids.get(folder) ?? null).send(file, () => undefined, sha256);
        if (outcome.status === "failed") {
          result.failed += 1;
          return onEvent({ path, status: "failed", error: failureText(outcome.error) });
        }
        if (older.length > 0)
          await host.trash(
            older.map(({ _id }) => _id),
            { signal },
          );
        result[status] += 1;
        const url = "result" in outcome ? { url: outcome.result.url } : {};
        return onEvent({ path, status, ...url });
      }
      result[status] += 1;
      await onEvent({ path, status });
    },
  );

  // A folder that could not be read may have the files that seem to be missing.
  const mayDelete = isDeleting && local.unusable.length === 0;
  for (let at = 0; at < extra.length; at += MAX_IDS) {
    const some = extra.slice(at, at + MAX_IDS);
    if (mayDelete && !isDryRun)
      await host.trash(
        some.map(({ file }) => file._id),
        { signal },
      );
    for (const { path } of some) {
      if (mayDelete) result.trashed += 1;
      else result.onlyThere += 1;
      await onEvent({ path, status: mayDelete ? "trashed" : "only-there" });
    }
  }
  return result;
}

/** Whether an upload has the bytes of a file on the disk. */
function isSame(upload: RemoteFile, { stats }: LocalFile, sha256: string, known: KnownUploads): boolean {
  if (upload.uploadedSha256 !== undefined) return upload.uploadedSha256 === sha256;
  if (upload.originalFileSize !== stats.size) return false;
  if (known.find(sha256, upload.folderId ?? "root")?._id === upload._id) return true;
  // An upload without a hash: the file was last changed before it.
  return Date.parse(upload.createdAt) > stats.mtimeMs;
}

/** @throws UsageError */
function requireRoom(existing: number, missing: readonly string[]): void {
  if (existing + missing.length > MAX_FOLDERS)
    throw new UsageError(
      `${missing.length} new folders are too many: an account has at most ${MAX_FOLDERS}, and has ${existing}`,
    );
  for (const path of missing) {
    const parts = path.split("/");
    if (parts.length > MAX_DEPTH)
      throw new UsageError(`${path} is ${parts.length} folders deep; at most ${MAX_DEPTH} are possible`);
    const long = parts.find((part) => Array.from(part).length > MAX_FOLDER_CHARACTERS);
    if (long !== undefined)
      throw new UsageError(`${long} is longer than a folder's ${MAX_FOLDER_CHARACTERS} characters`);
  }
}

/** `a`, `a/b` and `a/b/c`. */
function partsOf(path: string): string[] {
  return path === "" ? [] : [...prefixesOf(path)];
}

function* prefixesOf(path: string): Generator<string> {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) yield path.slice(0, at);
  yield path;
}
