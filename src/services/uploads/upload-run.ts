import { deleteUploads } from "../../db/library/uploads.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { everyKey } from "../../domain/object-key.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { BodyTooLargeError, MultipartError } from "../../multipart/multipart-error.ts";
import type { CompressionSession } from "../../processor/compression-session.ts";
import type { AccountContext } from "../context.ts";
import { count } from "../metrics/counts.ts";
import type { ClientBody } from "./receive/client-body.ts";
import type { ContentHash } from "./receive/content-hash.ts";
import type { RunOptions } from "./receive/upload-fields.ts";
import { RETRY_AFTER_SECONDS, UploadMemory } from "./receive/upload-memory.ts";

/** The context that all steps of one request's upload share. */
export class UploadRun implements Disposable {
  readonly account: AccountContext;
  readonly body: ClientBody;
  readonly open: OpenUploads;
  readonly progress: RequestProgress;
  readonly memory: UploadMemory;
  options: RunOptions = {};
  #compression: CompressionSession | undefined;

  /** @param memoryShare the fraction of the isolate's memory that the account may hold, if it is not the usual one */
  constructor(account: AccountContext, body: ClientBody, memoryShare?: number) {
    this.account = account;
    this.body = body;
    this.open = new OpenUploads(account);
    this.progress = new RequestProgress(body, account.config.intentTimeoutSeconds, account.now);
    this.memory = new UploadMemory(account.accountId, memoryShare);
  }

  /** The request's only session with the Codec Worker, opened for its first image. */
  get compression(): CompressionSession {
    this.#compression ??= this.account.processor.openCompression((reason) =>
      count("media_images_kept_total", { reason }),
    );
    return this.#compression;
  }

  [Symbol.dispose](): void {
    this.#compression?.[Symbol.dispose]();
    this.memory.closeWindow();
  }
}

/**
 * Reads a request's body while its client is watched (`startHeartbeat`).
 * @throws ServiceError 400, 408, 413, 503; and the work's errors
 */
export async function watch<Result>(
  account: AccountContext,
  body: ClientBody,
  work: (run: UploadRun) => Promise<Result>,
): Promise<Result> {
  using run = new UploadRun(account, body);
  const heartbeat = startHeartbeat(run);
  try {
    await run.memory.openWindow();
    return await work(run);
  } catch (error) {
    await body.refuse();
    throw heartbeat.verdict ?? toServiceError(error);
  } finally {
    heartbeat.stop();
  }
}

/** The content is recorded before the first row, so that an upload that survives a crash belongs to a known request. */
export async function identifyClaim({ meter, claim }: AccountContext, content: ContentHash | undefined): Promise<void> {
  if (claim !== undefined && content !== undefined) await meter.identifyClaim(claim, content.digest());
}

/** The answer for a body that could not be read. */
export function toServiceError(error: unknown): unknown {
  if (error instanceof MultipartError) return ERRORS.MalformedMultipart(error.reason);
  if (error instanceof BodyTooLargeError) return ERRORS.BodyTooLarge(error.maxBytes);
  return error;
}

/** The number of an intent's timeouts after which a request without progress is stuck, for example because a store does not answer. */
const STUCK_TIMEOUTS = 3;
/** The longest time of a request: 100 MB at 1.2 KB a second. */
const LONGEST_MS = 24 * 60 * 60_000;

/** The progress of a request: received bytes and stored files. */
export class RequestProgress {
  readonly #body: Pick<ClientBody, "receivedBytes">;
  readonly #stuckMs: number;
  readonly #now: () => number;
  readonly #startedAt: number;
  #endedFiles = 0;
  #reached = "";
  #reachedAt = 0;

  constructor(body: Pick<ClientBody, "receivedBytes">, intentTimeoutSeconds: number, now: () => number) {
    this.#body = body;
    this.#stuckMs = STUCK_TIMEOUTS * intentTimeoutSeconds * 1000;
    this.#now = now;
    this.#startedAt = now();
  }

  /** A file is stored, or has failed. */
  fileEnded(): void {
    this.#endedFiles += 1;
  }

  /**
   * Whether the request makes no progress. Progress is measured between reads of this property, so it must be read
   * regularly.
   */
  get isStuck(): boolean {
    const reached = `${this.#body.receivedBytes} ${this.#endedFiles}`;
    if (reached !== this.#reached) {
      this.#reached = reached;
      this.#reachedAt = this.#now();
    }
    return this.#now() - this.#reachedAt >= this.#stuckMs;
  }

  get isTooLong(): boolean {
    return this.#now() - this.#startedAt >= LONGEST_MS;
  }

  /** Whether the account's alarm must still wait for the request. */
  get isAlive(): boolean {
    return !this.isStuck && !this.isTooLong;
  }
}

/** An upload as it is announced before R2 has anything of it. */
export interface AnnouncedUpload {
  readonly uploadId: string;
  /** The path of the stored file, and the path of its compressed form if that differs. */
  readonly objectKeys: readonly string[];
  /** The visibility with which its bytes arrive. A later field of the form may change it. */
  readonly visibility: Visibility;
}

/** A request's announced but unsettled uploads, which are kept alive, settled or undone together. */
class OpenUploads {
  readonly #account: AccountContext;
  readonly #uploads = new Map<string, AnnouncedUpload>();

  constructor(account: AccountContext) {
    this.#account = account;
  }

  get uploadIds(): string[] {
    return [...this.#uploads.keys()];
  }

  /** The upload is announced, and R2 may have objects of it. */
  began(upload: AnnouncedUpload): void {
    this.#uploads.set(upload.uploadId, upload);
  }

  /** R2 has nothing left of the upload, so its reservation is freed: the request's next file may need it. */
  async undone(uploadId: string): Promise<void> {
    this.#uploads.delete(uploadId);
    await this.#account.meter.release([uploadId]);
  }

  /** The upload could not be undone: its intent stays, and the account's alarm undoes it later. */
  abandoned(uploadId: string): void {
    this.#uploads.delete(uploadId);
  }

  /** Removes one upload's objects and its reservation. */
  async undo(uploadId: string): Promise<void> {
    await this.#account.files.delete((this.#uploads.get(uploadId)?.objectKeys ?? []).flatMap(everyKey));
    await this.undone(uploadId);
  }

  /** Hands over all uploads after their rows and objects are complete. */
  takeAll(): AnnouncedUpload[] {
    const all = this.#all;
    this.#uploads.clear();
    return all;
  }

  /** Removes all uploads. The account's alarm later repeats failed removals. */
  async rollBack(): Promise<void> {
    if (this.#uploads.size === 0) return;
    await this.#giveUp();
    await removeUploads(this.#account, this.#all).catch((error: unknown) => logNotUndone(this.#account, error));
  }

  /** If the meter is down, no replay of the upload is in progress either, and it will not find the removed objects. */
  async #giveUp(): Promise<void> {
    const { accountId, meter } = this.#account;
    await meter
      .giveUp(this.#all)
      .catch((error: unknown) => console.error(toLogLine("upload.not-given-up", { accountId }, error)));
  }

  get #all(): AnnouncedUpload[] {
    return [...this.#uploads.values()];
  }
}

/**
 * Removes uploads' rows and objects, then the meter's records of them.
 * @throws Error if a store fails: the account's alarm continues
 */
export async function removeUploads(account: AccountContext, uploads: readonly AnnouncedUpload[]): Promise<void> {
  const { library, files, meter, accountId } = account;
  const ids = uploads.map(({ uploadId }) => uploadId);
  await deleteUploads(library, accountId, ids);
  await files.delete(uploads.flatMap(({ objectKeys }) => objectKeys.flatMap(everyKey)));
  await meter.release(ids);
}

export function logNotUndone({ accountId }: AccountContext, error: unknown): void {
  console.error(toLogLine("upload.not-undone", { accountId }, error));
}

/** The number of beats in one timeout of an intent. If one beat fails, the intent is still not due. */
const BEATS_PER_TIMEOUT = 4;
/** A client that sends nothing for this many beats is disconnected. */
const SILENT_BEATS = 3;
const WATCH_EVERY_MS = 1000;
/** The fewest bytes in the time. A client that sends fewer is disconnected if others wait for the memory that it holds. */
const LEAST_BYTES = 320 * 1024;
const WITHIN_MS = 10_000;

interface Heartbeat {
  /** The reason for which the client was disconnected; undefined if it was not. */
  readonly verdict: ServiceError | undefined;
  stop(): void;
}

/**
 * Keeps the intents of a long upload from being replayed while the request makes progress. Disconnects a client that
 * stopped sending (408), or that is so slow that others lack memory (503). The server's own time does not count against
 * the client.
 */
export function startHeartbeat(run: UploadRun): Heartbeat {
  const { account, body } = run;
  const beatMs = (account.config.intentTimeoutSeconds * 1000) / BEATS_PER_TIMEOUT;
  const pace = new Pace(body, LEAST_BYTES, WITHIN_MS);
  const renewing = setInterval(() => {
    if (!run.progress.isAlive) {
      console.error(toLogLine("upload.stuck", { accountId: account.accountId, uploadIds: run.open.uploadIds.join() }));
      return clearInterval(renewing);
    }
    const ids = run.open.uploadIds;
    if (ids.length === 0 && account.claim === undefined) return;
    account.waitUntil(account.meter.renew(ids, undefined, account.claim).catch(logFailure));
  }, beatMs);
  const disconnect = (verdict: ServiceError) => {
    heartbeat.verdict = verdict;
    clearInterval(watching);
    account.waitUntil(body.cancel());
  };
  const watching = setInterval(
    () => {
      // The pace is measured between calls, so it must be read each time.
      const isSlow = pace.isSlow();
      const isStalled = body.silentMs >= SILENT_BEATS * beatMs || run.progress.isTooLong;
      if (isStalled) disconnect(ERRORS.UploadStalled());
      else if (isSlow && run.memory.holdsUpOthers) disconnect(ERRORS.Unavailable(RETRY_AFTER_SECONDS));
    },
    Math.min(beatMs, WATCH_EVERY_MS),
  );
  const heartbeat: { verdict: ServiceError | undefined; stop(): void } = {
    verdict: undefined,
    stop: () => {
      clearInterval(renewing);
      clearInterval(watching);
    },
  };
  return heartbeat;
}

function logFailure(error: unknown): void {
  console.error(toLogLine("upload.not-renewed", {}, error));
}

/** A client's sending speed. Only the time spent waiting for the client counts. */
class Pace {
  readonly #body: ClientBody;
  readonly #leastBytes: number;
  readonly #withinMs: number;
  #receivedBytes: number;
  #waitedMs: number;
  #isSlow = false;

  /** A client is slow if it makes the server wait `withinMs` for fewer than `leastBytes`. */
  constructor(body: ClientBody, leastBytes: number, withinMs: number) {
    this.#body = body;
    this.#leastBytes = leastBytes;
    this.#withinMs = withinMs;
    this.#receivedBytes = body.receivedBytes;
    this.#waitedMs = body.waitedMs;
  }

  /** Judges the time since the last call, so it must be called regularly. */
  isSlow(): boolean {
    const { receivedBytes, waitedMs } = this.#body;
    const isFast = receivedBytes - this.#receivedBytes >= this.#leastBytes;
    if (!isFast && waitedMs - this.#waitedMs < this.#withinMs) return this.#isSlow;
    this.#receivedBytes = receivedBytes;
    this.#waitedMs = waitedMs;
    this.#isSlow = !isFast;
    return this.#isSlow;
  }
}
