import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { PART_BYTES } from "../../domain/parts.ts";
import { BodyTooLargeError, MultipartError } from "../../multipart/multipart-error.ts";
import type { AccountContext } from "../context.ts";
import { commitUploads, type FailedFile, type FileOutcome, type FileResult } from "./commit/commit-uploads.ts";
import type { ClientBody } from "./receive/client-body.ts";
import type { ContentHash } from "./receive/content-hash.ts";
import type { IncomingFile } from "./receive/incoming-file.ts";
import type { UploadFields } from "./receive/upload-fields.ts";
import { RETRY_AFTER_SECONDS } from "./receive/upload-memory.ts";
import { storeFile } from "./store/store-file.ts";
import { UploadRun } from "./upload-run.ts";

/**
 * Stores the files of one request: reserve, R2, then all rows in one transaction, then settle. Each file is stored or
 * refused alone, but a body that is malformed or breaks off stores nothing (UP-5, UP-7).
 * @param receive reads the body to its end and stores its files
 * @param content identifies the account's claim after the body was read
 * @returns the outcome of each file, in the request's order
 * @throws ServiceError 400, 401, 404, 408, 413, 503 for the whole request, with nothing left in any store
 */
export async function runUpload(
  account: AccountContext,
  body: ClientBody,
  receive: (run: UploadRun, files: RequestFiles) => Promise<UploadFields>,
  content?: ContentHash,
): Promise<FileOutcome[]> {
  return watch(account, body, async (run) => {
    const files = new RequestFiles(run);
    try {
      const fields = await receive(run, files);
      const [results] = await Promise.all([files.all(), identifyClaim(account, content)]);
      return await commitUploads(run, results, fields);
    } catch (error) {
      await files.ended();
      await run.open.rollBack();
      throw error;
    }
  });
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

/** Limits of concurrent writes to R2: their number, because a Worker has six connections, and the bytes they hold. */
const MAX_STORING = 4;
const MAX_HELD_BYTES = 2 * PART_BYTES;

/** A request's files in order: each is stored or fails alone. */
export class RequestFiles {
  readonly #run: UploadRun;
  readonly #results: Promise<FileResult>[] = [];
  /** Files that were read but are not stored yet, with the bytes they hold. */
  readonly #storing = new Map<Promise<unknown>, number>();

  constructor(run: UploadRun) {
    this.#run = run;
  }

  get count(): number {
    return this.#results.length;
  }

  /**
   * Reads a file to its end. It may still be stored while the next file is read.
   * @throws ServiceError 503 if there is no memory for the request's first file: the rest of the body is not read
   */
  async add(incoming: IncomingFile): Promise<void> {
    await this.#waitForRoom();
    try {
      const { heldBytes, stored } = await storeFile(this.#run, incoming);
      const result: Promise<FileResult> = stored.then(
        (file) => ({ file }),
        (error: unknown) => ({ failed: toFailedFile(incoming, error) }),
      );
      this.#results.push(result);
      this.#track(result, heldBytes);
    } catch (error) {
      const failed = toFailedFile(incoming, error);
      if (failed.error.code === "service_unavailable" && this.count === 0) throw error;
      this.fail(failed);
      await incoming.skip();
    }
  }

  /** Records a file that is not stored. */
  fail(failed: FailedFile): void {
    this.#results.push(Promise.resolve({ failed }));
  }

  /** @throws Error if a store failed: the whole request fails */
  all(): Promise<FileResult[]> {
    return Promise.all(this.#results);
  }

  /** Waits until nothing is in progress, also after failures. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#results);
  }

  async #waitForRoom(): Promise<void> {
    const heldBytes = () => [...this.#storing.values()].reduce((sum, bytes) => sum + bytes, 0);
    while (this.#storing.size >= MAX_STORING || heldBytes() + PART_BYTES > MAX_HELD_BYTES) {
      await Promise.race(this.#storing.keys());
    }
  }

  #track(result: Promise<FileResult>, heldBytes: number): void {
    const remove = () => {
      this.#storing.delete(done);
      this.#run.progress.fileEnded();
    };
    const done: Promise<unknown> = result.then(remove, remove);
    this.#storing.set(done, heldBytes);
  }
}

/** Files fail one by one, but a broken body or a failing store fails the whole request. */
function toFailedFile({ uploadedName }: IncomingFile, error: unknown): FailedFile {
  if (error instanceof ServiceError) return { originalFilename: uploadedName, error };
  throw error;
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
