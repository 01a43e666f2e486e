import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Client, MediaHostError, type UploadProgress, type UploadResult } from "../../client/index.ts";
import { openFile } from "../../client/node.ts";
import { CredentialError, SomeFailed } from "../command-line/failures.ts";
import { hashFile } from "./hash-file.ts";
import { isStillThere } from "./is-still-there.ts";
import type { KnownUpload, KnownUploads } from "./known-uploads.ts";
import { type LocalFile, reasonOf } from "./local-file.ts";
import { type Outcome, toFailure } from "./outcome.ts";
import { resumeStore } from "./resume-store.ts";

/** One run of `upload`. */
export interface Run {
  readonly host: Client;
  readonly baseUrl: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly known: KnownUploads;
  /** Where all files go; null is Root. */
  readonly folderId: string | null;
  readonly tags: readonly string[];
  /** What is there is sent all the same. */
  readonly isForced: boolean;
  /** Nothing is sent. */
  readonly isDryRun: boolean;
  /** Told of what went wrong beside an upload that went right. */
  readonly note: (text: string) => void;
}

/** Sends the files of one run, each of them once, and none whose bytes are there. */
export class FileSender {
  readonly #run: Run;
  /** Files of these bytes are being sent. */
  readonly #underWay = new Map<string, Promise<Outcome>>();
  /** The storage had no room for a file of this size, nor has it for a larger one. */
  #refused: { readonly sizeBytes: number; readonly outcome: Outcome & { status: "failed" } } | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * @param sha256 of its bytes, where that is known
   * @throws CredentialError, SomeFailed where no other file would fare better; the signal's reason
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
        // The same picture twice in one run is sent once, too.
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
      // What was sent of the bytes that it had is of no more use.
      if (hasChanged(file)) await host.discard(source, options);
      throw error;
    }
    if (!hasChanged(file)) await this.#remember(path, file, facts, result);
    return { path: file.shownPath, status: "stored", result, sizeBytes: file.stats.size };
  }

  /** What is stored is stored, whether or not this machine can write it down. */
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
    const { statusCode, details } = error;
    if (statusCode === 401 || statusCode === 403) throw new CredentialError(`${statusCode} ${error.message}`);
    if (statusCode === 429 && !error.retryable) {
      throw new SomeFailed(
        `${path}: ${statusCode} ${error.message} ${JSON.stringify(details)}; the others were not tried`,
      );
    }
    const { size } = file.stats;
    if (statusCode === 413 && details?.limitBytes !== undefined && size < (this.#refused?.sizeBytes ?? Infinity)) {
      this.#refused = { sizeBytes: size, outcome };
    }
    return outcome;
  }
}

class FileChanged extends Error {}

/** By which path the state file knows it. */
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
