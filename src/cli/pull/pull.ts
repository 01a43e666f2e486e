import type { Stats } from "node:fs";
import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Client, MediaHostError } from "../../client/index.ts";
import { forEachAtOnce } from "../backup/pool.ts";
import { SomeFailed } from "../command-line/failures.ts";
import { readableUrls } from "../library/signed-urls.ts";
import { Downloader, Gone, hashOf, OtherBytes, type Part, Refused } from "./download.ts";
import { listRemote, type RemoteFile, toRemoteFile } from "./list-remote.ts";
import { MANIFEST, planPaths, STATE } from "./plan-paths.ts";
import { type PulledFile, Records } from "./records.ts";

export interface Pull {
  readonly host: Client;
  /** The folder of the service; null is Root. */
  readonly top: string | null;
  /** The folder on the disk. */
  readonly folder: string;
  readonly connections: number;
  /** Replaces copies that were changed on the disk, and other files at their paths. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  readonly onEvent: (event: PullEvent) => Promise<void> | void;
}

/** An outcome of a file, or a difference that stays. `path` is below the target folder. */
export interface PullEvent {
  readonly path: string;
  readonly status: "downloaded" | "found" | "moved" | "changed-here" | "occupied" | "only-here" | "gone" | "failed";
  readonly id?: string;
  readonly sizeBytes?: number;
  readonly error?: string;
}

export interface PullResult {
  readonly downloaded: number;
  readonly downloadedBytes: number;
  /** Copies that earlier runs made, and files with the same bytes. */
  readonly there: number;
  readonly moved: number;
  /** The differences from the library that the pull leaves in the folder. */
  readonly differences: readonly PullEvent[];
}

/** Errors of the disk that every further file would meet. */
const DISK_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your share of the disk is full",
  EROFS: "the disk is read-only",
  EACCES: "it may not be written",
  EPERM: "it may not be written",
  EMFILE: "too many files are open",
  ENOTDIR: "a file or a link is in the place of a folder",
  EISDIR: "a folder is in the place of a file",
  ENOTEMPTY: "a folder is in the place of a file",
  EIO: "the disk failed",
};
/** Finished downloads are recorded and renamed together, so that the list of records is written once for all. */
const RECORDED_TOGETHER = 200;

/**
 * Copies all files of a folder and its subfolders to the disk. An interrupted run is continued by the next one. It deletes no file of the
 * disk, and replaces only unchanged copies of its own.
 * @throws SomeFailed if the disk refuses a file; MediaHostError; the signal's reason
 */
export async function pull(run: Pull): Promise<PullResult> {
  const records = await Records.open(run.folder).catch((error: unknown) => {
    throw toDiskFailure(error, run.folder);
  });
  try {
    return await new Copying(run, records).copy();
  } finally {
    await records.close();
  }
}

class Copying {
  readonly #run: Pull;
  readonly #records: Records;
  readonly #differences: PullEvent[] = [];
  /** The ids of copies by their paths, before this run. */
  readonly #owners = new Map<string, string>();
  readonly #checkedFolders = new Map<string, Promise<void>>();
  readonly #result = { downloaded: 0, downloadedBytes: 0, there: 0, moved: 0 };
  /** Complete downloads that still have the names of partial files. `#naming` renames them. */
  #finished: { readonly file: PulledFile; readonly part: string }[] = [];
  #naming: Promise<void> = Promise.resolve();

  constructor(run: Pull, records: Records) {
    this.#run = run;
    this.#records = records;
    for (const { path, id } of records.all()) this.#owners.set(path, id);
  }

  async copy(): Promise<PullResult> {
    const { host, top, folder, connections, signal } = this.#run;
    const { files, folders } = await listRemote(host, top, signal);
    const state = join(folder, STATE);
    const names = await readdir(state);
    const remote = new Map(files.map((file) => [file._id, file]));
    // A copy of a file that the service does not have any more may be its last one.
    const lost = this.#records.all().filter(({ id }) => !remote.has(id));
    const kept = (await Promise.all(lost.map(async (file) => ((await this.#stat(file.path)) ? file : [])))).flat();
    const paths = planPaths(
      files,
      folders,
      top,
      kept.map(({ path }) => path),
    );
    const downloader = new Downloader(state, names, connections, signal);
    try {
      const missing: RemoteFile[] = [];
      const moves: { readonly from: string; readonly record: PulledFile }[] = [];
      await this.#inParallel(files, async (file) => {
        const found = await this.#find(file, paths.get(file._id) as string, names, downloader);
        if (found === "missing") missing.push(file);
        else if (found !== "differs") {
          if (found.from !== found.record.path) moves.push(found);
          else this.#result.there += 1;
        }
      });
      await this.#move(moves);
      await this.#inParallel(missing, (file) => this.#download(file, paths.get(file._id) as string, downloader));
    } finally {
      await this.#name();
      downloader.close();
    }
    await this.#listOthers(new Set(paths.values()));
    await this.#disk(() => this.#records.complete(new Set([...remote.keys(), ...kept.map(({ id }) => id)])), MANIFEST);
    for (const name of await readdir(state)) if (name.endsWith(".part")) await rm(join(state, name), { force: true });
    return { ...this.#result, differences: this.#differences };
  }

  /** Finds a file's copy on the disk: where an earlier run put it, where a move broke off, or at its path. */
  async #find(
    file: RemoteFile,
    path: string,
    names: readonly string[],
    downloader: Downloader,
  ): Promise<{ readonly from: string; readonly record: PulledFile } | "missing" | "differs"> {
    const record = this.#records.find(file._id);
    const moving = `${file._id}.moved`;
    const places = new Set([
      ...(record ? [record.path] : []),
      ...(names.includes(moving) ? [`${STATE}/${moving}`] : []),
      path,
    ]);
    for (const from of places) {
      const stats = await this.#stat(from);
      if (stats === undefined) continue;
      const same = await this.#matches(file, record, from, stats, downloader);
      if (same !== undefined) {
        if (from !== path && (await this.#isOccupied(path, file._id, stats))) return this.#occupied(path, file._id);
        const found = { ...same, id: file._id, path, mtimeMs: stats.mtimeMs };
        if (record?.path !== from || record.mtimeMs !== stats.mtimeMs) {
          if (from === path) await this.#disk(() => this.#records.add([found]), path);
          if (record === undefined) await this.#event({ path, status: "found", id: file._id });
        }
        return { from, record: found };
      }
      // A copy of an older version is replaced. A file that somebody changed is not.
      if (from === record?.path && (await this.#isUnchanged(record, stats))) continue;
      if (from !== path || this.#run.isForced || this.#isOthers(path, file._id)) continue;
      if (record?.path !== path) return this.#occupied(path, file._id);
      await this.#differ({ path, status: "changed-here", id: file._id });
      return "differs";
    }
    return "missing";
  }

  async #occupied(path: string, id: string): Promise<"differs"> {
    await this.#differ({ path, status: "occupied", id });
    return "differs";
  }

  /** Whether a file that no run made is at the new path of a copy. A file system that ignores case finds the copy itself. */
  async #isOccupied(path: string, id: string, copy: Stats): Promise<boolean> {
    const stats = await this.#stat(path);
    if (stats === undefined || (stats.ino === copy.ino && stats.dev === copy.dev)) return false;
    return !this.#run.isForced && !this.#isOthers(path, id);
  }

  /** @returns the facts of the copy if its bytes are the file's */
  async #matches(
    file: RemoteFile,
    record: PulledFile | undefined,
    from: string,
    stats: Stats,
    downloader: Downloader,
  ): Promise<Pick<PulledFile, "sha256" | "etag" | "size"> | undefined> {
    if (!stats.isFile() || stats.size !== file.fileSize) return undefined;
    const expected = file.sha256 ?? record?.sha256;
    const isRecorded = record?.path === from && record.size === stats.size && record.mtimeMs === stats.mtimeMs;
    if (isRecorded && record.sha256 === expected) return record;
    const hashes = await hashOf(join(this.#run.folder, from));
    const sha256 = hashes.sha256.digest("hex");
    const facts = { sha256, size: stats.size, etag: record?.sha256 === sha256 ? record.etag : null };
    if (expected !== undefined) return sha256 === expected ? facts : undefined;
    const etag = await this.#urlOf(file)
      .then((url) => downloader.etagOf(url))
      .catch(() => undefined);
    return etag === `"${hashes.md5.digest("hex")}"` ? { ...facts, etag } : undefined;
  }

  async #isUnchanged(record: PulledFile, stats: Stats): Promise<boolean> {
    if (!stats.isFile() || record.size !== stats.size) return false;
    if (record.mtimeMs === stats.mtimeMs) return true;
    return (await hashOf(join(this.#run.folder, record.path))).sha256.digest("hex") === record.sha256;
  }

  /** Whether another file's copy is at the path, which moves away. */
  #isOthers(path: string, id: string): boolean {
    const owner = this.#owners.get(path);
    return owner !== undefined && owner !== id;
  }

  /** Moves copies to new paths by way of the program's folder, because two files may change places. */
  async #move(moves: readonly { readonly from: string; readonly record: PulledFile }[]): Promise<void> {
    const { folder } = this.#run;
    const between = ({ id }: PulledFile) => join(folder, STATE, `${id}.moved`);
    await this.#disk(async () => {
      for (const { from, record } of moves) {
        if (join(folder, from) !== between(record)) await rename(join(folder, from), between(record));
      }
      if (moves.length > 0) await this.#records.add(moves.map(({ record }) => record));
      for (const { record } of moves) {
        await this.#makeFolder(record.path);
        await rename(between(record), join(folder, record.path));
        this.#result.moved += 1;
        await this.#event({ path: record.path, status: "moved", id: record.id });
      }
    }, "a moved file");
  }

  async #download(file: RemoteFile, path: string, downloader: Downloader): Promise<void> {
    try {
      const part = await this.#fetch(file, downloader);
      const { size, sha256, etag, mtimeMs } = part;
      this.#finished.push({ part: part.path, file: { id: file._id, path, size, sha256, etag, mtimeMs } });
      if (this.#finished.length >= RECORDED_TOGETHER) await this.#name();
    } catch (error) {
      this.#run.signal.throwIfAborted();
      if (error instanceof Gone) return this.#differ({ path, status: "gone", id: file._id });
      if (!(error instanceof Refused || error instanceof OtherBytes)) throw toDiskFailure(error, path);
      await this.#differ({ path, status: "failed", id: file._id, error: error.message });
    }
  }

  /** A file that was replaced since it was listed is asked for again. */
  async #fetch(file: RemoteFile, downloader: Downloader): Promise<Part> {
    const wanted = async (remote: RemoteFile) => {
      const { _id, fileSize, sha256 } = remote;
      return { id: _id, url: await this.#urlOf(remote), size: fileSize, sha256 };
    };
    try {
      return await downloader.download(await wanted(file));
    } catch (error) {
      // A signed URL ends after an hour.
      if (!(error instanceof OtherBytes) && !(error instanceof Refused)) throw error;
      const image = await this.#run.host.image(file._id, { signal: this.#run.signal }).catch((failure: unknown) => {
        throw failure instanceof MediaHostError && failure.statusCode === 404 ? new Gone() : failure;
      });
      const now = toRemoteFile(image);
      return downloader.download(await wanted(now));
    }
  }

  /** A private file that a key has listed gets its signature when it is read. */
  async #urlOf({ _id, url, isUnsigned }: RemoteFile): Promise<string> {
    const { host, signal } = this.#run;
    const file = { _id, url, thumbnailUrl: null, visibility: "private" } as const;
    return isUnsigned ? (await readableUrls(host, file, signal)).url : url;
  }

  /** Records the finished downloads, and then gives them their names. */
  #name(): Promise<void> {
    this.#naming = this.#naming.then(async () => {
      const finished = this.#finished;
      this.#finished = [];
      if (finished.length === 0) return;
      const older = new Map(finished.map(({ file }) => [file.id, this.#records.find(file.id)]));
      await this.#disk(() => this.#records.add(finished.map(({ file }) => file)), "the journal");
      await this.#inParallel(finished, async ({ file, part }) => {
        await this.#disk(async () => {
          await this.#makeFolder(file.path);
          await rename(part, join(this.#run.folder, file.path));
          const old = older.get(file.id);
          if (old !== undefined && old.path !== file.path) await this.#removeOld(old);
        }, file.path);
        this.#result.downloaded += 1;
        this.#result.downloadedBytes += file.size;
        await this.#event({ path: file.path, status: "downloaded", id: file.id, sizeBytes: file.size });
      });
    });
    return this.#naming;
  }

  /** Removes the copy of an older version, whose new version has another path. */
  async #removeOld(old: PulledFile): Promise<void> {
    const stats = await this.#stat(old.path);
    if (stats === undefined || this.#isOthers(old.path, old.id) || !(await this.#isUnchanged(old, stats))) return;
    await rm(join(this.#run.folder, old.path), { force: true });
  }

  /** Makes the folders of a path. A link in the place of a folder would lead out of the target. @throws Error with a reason */
  #makeFolder(path: string): Promise<void> {
    const folder = dirname(path);
    if (folder === ".") return Promise.resolve();
    const made = this.#checkedFolders.get(folder) ?? this.#makeFolder(folder).then(() => this.#makeOne(folder));
    this.#checkedFolders.set(folder, made);
    return made;
  }

  async #makeOne(folder: string): Promise<void> {
    const path = join(this.#run.folder, folder);
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    if (!(await lstat(path)).isDirectory())
      throw Object.assign(new Error(`${folder} is no folder`), { code: "ENOTDIR" });
  }

  /** Names the files on the disk that the service does not have. */
  async #listOthers(known: ReadonlySet<string>): Promise<void> {
    const walk = async (prefix: string): Promise<void> => {
      for (const entry of await readdir(join(this.#run.folder, prefix), { withFileTypes: true })) {
        const path = prefix + entry.name;
        if (path === STATE || path === MANIFEST || known.has(path.normalize("NFC"))) continue;
        if (entry.isDirectory()) await walk(`${path}/`);
        else await this.#differ({ path, status: "only-here" });
      }
    };
    await walk("");
  }

  /** A link is not followed. */
  #stat(path: string): Promise<Stats | undefined> {
    return lstat(join(this.#run.folder, path)).catch(() => undefined);
  }

  #inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
    return forEachAtOnce(items, this.#run.connections, work);
  }

  async #differ(event: PullEvent): Promise<void> {
    this.#differences.push(event);
    await this.#event(event);
  }

  async #event(event: PullEvent): Promise<void> {
    await this.#run.onEvent(event);
  }

  async #disk<Value>(work: () => Promise<Value>, path: string): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw toDiskFailure(error, path);
    }
  }
}

/** @returns the failure that ends the run with a reason, or the error itself */
function toDiskFailure(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : DISK_ERRORS[code];
  return reason === undefined
    ? error
    : new SomeFailed(`${path}: ${reason} (${message}); the same command continues when that is mended`);
}
