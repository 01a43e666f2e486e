import { createHash } from "node:crypto";
import { createReadStream, type Stats, statSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type Client,
  MediaHostError,
  type UploadProgress,
  type UploadResult,
  type UploadStorage,
} from "../../client/index.ts";
import { openFile } from "../../client/node.ts";
import { CredentialError, isCredentialRefused, SomeFailed } from "../command-line/failures.ts";
import { stateFolder } from "../session/folders.ts";
import type { KnownUpload, KnownUploads } from "./known-uploads.ts";
import { type FilePath, type LocalFile, reasonOf } from "./local-file.ts";
import { type Outcome, toFailure } from "./outcome.ts";

/** The options of one run of `upload`. */
export interface SendingRun {
  readonly host: Client;
  readonly baseUrl: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly known: KnownUploads;
  /** The folder for all files of the run; null is Root. */
  readonly folderId: string | null;
  readonly tags: readonly string[];
  /** Sends files again even if the service already has them. */
  readonly isForced: boolean;
  /** Nothing is sent. */
  readonly isDryRun: boolean;
  /** Called with the reason if something besides the upload failed. */
  readonly note: (text: string) => void;
}

/** Sends the files of one run. Each content is sent once, and only if the service does not have it. */
export class FileSender {
  readonly #run: SendingRun;
  /** Uploads in progress by the digest of their bytes. */
  readonly #underWay = new Map<string, Promise<Outcome>>();
  /** The size of a file that did not fit into the storage. Larger files do not fit either. */
  #refused: { readonly sizeBytes: number; readonly outcome: Outcome & { status: "failed" } } | undefined;

  constructor(run: SendingRun) {
    this.#run = run;
  }

  /**
   * @param sha256 the digest of its bytes, if known
   * @throws CredentialError, SomeFailed if every other file would fail as well; the signal's reason
   */
  async send(file: LocalFile, onProgress: (progress: UploadProgress) => void, sha256?: string): Promise<Outcome> {
    const { signal, known, folderId, isForced } = this.#run;
    signal.throwIfAborted();
    const path = file.shownPath;
    try {
      const key = statePath(file);
      const digest =
        sha256 ?? (isForced ? undefined : known.findDigest(key, file.stats)) ?? (await hashFile(file.path, signal));
      const facts = { sha256: digest, folder: folderId ?? "root" };
      if (!isForced) {
        // Two equal files in one run are sent once.
        const twin = await this.#underWay.get(digest);
        if (twin !== undefined && "result" in twin) return this.#isKnown(file, twin.result);
        const there = known.find(digest, facts.folder);
        if (there !== undefined && (await isStillThere(there.url, signal))) {
          if (known.findDigest(key, file.stats) === undefined) await this.#remember(key, file, facts, there);
          return this.#isKnown(file, there);
        }
      }
      if (this.#run.isDryRun) return { path, status: "would-send", sizeBytes: file.stats.size };
      if (this.#refused !== undefined && file.stats.size >= this.#refused.sizeBytes) {
        return { ...this.#refused.outcome, path };
      }
      const work = this.#upload(file, facts, onProgress);
      this.#underWay.set(
        digest,
        work.catch(() => ({ path, status: "failed", error: { error: "not sent" } })),
      );
      return await work.finally(() => this.#underWay.delete(digest));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CredentialError || error instanceof SomeFailed) throw error;
      return this.#fail(file, error);
    }
  }

  #isKnown({ shownPath, stats }: LocalFile, { _id, url }: KnownUpload): Outcome {
    return { path: shownPath, status: "known", result: { _id, url }, sizeBytes: stats.size };
  }

  async #upload(
    file: LocalFile,
    facts: { readonly sha256: string; readonly folder: string },
    onProgress: (progress: UploadProgress) => void,
  ): Promise<Outcome> {
    const { host, env, baseUrl, signal, folderId, tags } = this.#run;
    const path = statePath(file);
    const storage = resumeStore(env, [baseUrl, facts.sha256, file.name, folderId, tags]);
    const source = await openFile(file.path, file.name);
    const options = { folderId, tags, signal, onProgress, storage };
    let result: UploadResult;
    try {
      if (hasChanged(file)) throw new FileChanged();
      result = await host.upload(source, options);
    } catch (error) {
      // The pieces that were sent belong to the old content.
      if (hasChanged(file)) await host.discard(source, options);
      throw error;
    }
    if (!hasChanged(file)) await this.#remember(path, file, facts, result);
    return { path: file.shownPath, status: "stored", result, sizeBytes: file.stats.size };
  }

  /** Records an upload. A failure to write does not fail the upload. */
  async #remember(
    path: string,
    { stats, shownPath }: LocalFile,
    facts: { readonly sha256: string; readonly folder: string },
    upload: KnownUpload,
  ): Promise<void> {
    await this.#run.known.add(path, stats, facts, upload).catch((error: unknown) => {
      this.#run.note(`not remembered as uploaded: ${shownPath}: ${reasonOf(error)}`);
    });
  }

  #fail(file: LocalFile, error: unknown): Outcome & { status: "failed" } {
    const path = file.shownPath;
    if (!(error instanceof MediaHostError)) {
      const reason = hasChanged(file) ? changeOf(file) : reasonOf(error);
      return { path, status: "failed", error: { error: reason } };
    }
    const failure = toFailure(error);
    const outcome = { path, status: "failed", error: failure } as const;
    const { statusCode, code, details } = error;
    if (isCredentialRefused(error)) throw new CredentialError(`${statusCode} ${error.message}`);
    if (code === "operations_exhausted") {
      throw new SomeFailed(
        `${path}: ${statusCode} ${error.message} ${JSON.stringify(details)}; the others were not tried`,
      );
    }
    const { size } = file.stats;
    if (code === "storage_limit_exceeded" && size < (this.#refused?.sizeBytes ?? Infinity)) {
      this.#refused = { sizeBytes: size, outcome };
    }
    return outcome;
  }
}

class FileChanged extends Error {}

/** The absolute path that identifies a file in the state file. */
function statePath({ path, shownPath }: LocalFile): string {
  return resolve(typeof path === "string" ? path : shownPath);
}

function now({ path }: LocalFile): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function hasChanged(file: LocalFile): boolean {
  const stats = now(file);
  return stats === undefined || stats.size !== file.stats.size || stats.mtimeMs !== file.stats.mtimeMs;
}

function changeOf(file: LocalFile): string {
  return now(file) === undefined ? "it vanished while it was sent" : "it changed while it was sent; send it again";
}

const READ_BYTES = 1024 * 1024;

/** @returns the SHA-256 of a file's bytes, in hexadecimal digits */
export async function hashFile(path: FilePath, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES, signal })) hash.update(piece);
  return hash.digest("hex");
}

const TRIES = 4;
const ANSWER_WITHIN_MS = 20_000;

/**
 * Checks by `HEAD` that a file has not been deleted. `HEAD` needs no key and is not a view.
 * @throws Error if the answer is unclear; the signal's reason
 */
async function isStillThere(url: string, signal: AbortSignal): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { ok, status } = await askOnce(url, signal);
      if (ok) return true;
      if (status === 404 || status === 410) return false;
      if (tries >= TRIES) throw new Error(`${url} answers with ${status}, so that it is not known whether it is there`);
    } catch (error) {
      signal.throwIfAborted();
      if (tries >= TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries * Math.random()));
  }
}

/** A timer of `AbortSignal.timeout` would stay until its time has come. A large folder would have thousands of them. */
async function askOnce(url: string, signal: AbortSignal): Promise<Response> {
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new Error("no answer came in time")), ANSWER_WITHIN_MS);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await fetch(url, { method: "HEAD", signal: controller.signal });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Remembers the address of a resumable upload in a small file, so the same command resumes it after Ctrl-C. The client's own key (name,
 * size, time) may be the same for files in two folders.
 * @param upload identifies the upload: service, digest of the bytes, and folder
 */
function resumeStore(env: NodeJS.ProcessEnv, upload: readonly unknown[]): UploadStorage {
  const folder = join(stateFolder(env), "unfinished");
  const path = join(folder, createHash("sha256").update(JSON.stringify(upload)).digest("hex"));
  return {
    getItem: () => readFile(path, "utf8").catch(() => null),
    // If the address cannot be stored, the upload itself still succeeds.
    setItem: (_, value) => replace(value).catch(() => undefined),
    removeItem: () => rm(path, { force: true }),
  };

  async function replace(value: string): Promise<void> {
    const fresh = `${path}.${process.pid}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(fresh, value, { mode: 0o600 });
    await rename(fresh, path);
  }
}
