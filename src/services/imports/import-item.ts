import { ERRORS, type ErrorCode, ServiceError } from "../../domain/errors.ts";
import { MAX_IMPORTED_BYTES } from "../../domain/imports.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { PART_BYTES } from "../../domain/parts.ts";
import type { AttemptOutcome, BegunItem, VainWork } from "../../meter/imports/import.ts";
import { MAX_COMPRESSIBLE_BYTES } from "../../processor/compression.ts";
import type { AccountContext, Services } from "../context.ts";
import { SourceBody } from "../uploads/receive/source-body.ts";
import { addPiece } from "../uploads/resumable/add-piece.ts";
import { createResumable } from "../uploads/resumable/create-upload.ts";
import { PieceBody } from "../uploads/resumable/piece-body.ts";
import { findResumable } from "../uploads/resumable/unfinished-uploads.ts";
import { storageLimit } from "../uploads/store/reserve-storage.ts";
import { uploadRawBody } from "../uploads/upload-files.ts";
import type { HostTurns } from "./host-turns.ts";
import { openImporter } from "./open-importer.ts";
import { HostBusy, mayPass, openSource, type Source } from "./open-source.ts";
import type { SourceStream } from "./source-stream.ts";

/** The longest attempt. A consumer has 15 minutes (Cloudflare Queues, "Limits"), and a runner's earlier items took one. */
const ATTEMPT_MS = 10 * 60_000;
/** An attempt that fetched this much of a large file may be followed by any number of others. */
const PROGRESS_BYTES = PART_BYTES;
/** Requests to a source that breaks off, in one attempt. */
const MAX_REQUESTS = 10;
const BUSY_DELAY_MS = 5000;
const CONTINUED_DELAY_MS = 1000;
/** Signs of life in one timeout of an intent. If one fails, the attempt is still not taken for dead. */
const SIGNS_PER_TIMEOUT = 4;
/** Errors of the service that may pass, by status and by code. */
const PASSING = [408, 423, 503];
const PASSING_CODES: readonly ErrorCode[] = ["too_many_uploads", "upload_not_found", "offset_conflict"];

/** One attempt of an item. */
class Attempt {
  readonly account: AccountContext;
  readonly item: BegunItem;
  readonly #services: Services;
  readonly #hosts: HostTurns;
  readonly #hostsBefore: number;
  readonly #endsAt: number;
  readonly #streams: SourceStream[] = [];
  #isStopped = false;

  constructor(services: Services, hosts: HostTurns, item: BegunItem) {
    this.account = openImporter(services, item);
    this.item = item;
    this.#services = services;
    this.#hosts = hosts;
    this.#hostsBefore = hosts.count;
    this.#endsAt = services.now() + ATTEMPT_MS;
  }

  /** The source's own fault, which is the cause of any error of the upload. */
  get fault(): ServiceError | undefined {
    return this.#streams.at(-1)?.fault;
  }

  get vain(): VainWork {
    const fetchedBytes = this.#streams.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0);
    return { fetchedBytes, furtherHosts: Math.max(0, this.#hosts.count - this.#hostsBefore - 1) };
  }

  /** The import was stopped, or another attempt has begun. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  get isOver(): boolean {
    return this.#isStopped || this.#services.now() >= this.#endsAt;
  }

  async open(from?: {
    readonly offset: number;
    readonly totalBytes: number;
    readonly validator: string;
  }): Promise<Source> {
    const request = { url: this.item.facts.url, endsAt: this.#endsAt, ...(from === undefined ? {} : { from }) };
    const source = await openSource(this.#services, this.#hosts, request);
    this.#streams.push(source.bytes);
    if (this.#isStopped) source.bytes.stop();
    return source;
  }

  stop(): void {
    this.#isStopped = true;
    this.#streams.at(-1)?.stop();
  }
}

/**
 * Makes one attempt to fetch and store an item, as an upload of its importer. It never throws for faults of the source.
 * @returns the outcome for `endImportItem`
 */
export async function importItem(services: Services, hosts: HostTurns, item: BegunItem): Promise<AttemptOutcome> {
  const attempt = new Attempt(services, hosts, item);
  const { meter } = attempt.account;
  const renewing = setInterval(
    () => {
      meter.renewImportItem(toRef(item)).then(
        (isWanted) => isWanted || attempt.stop(),
        (error: unknown) => console.error(toLogLine("import.not-renewed", logged(item), error)),
      );
    },
    (services.config.intentTimeoutSeconds * 1000) / SIGNS_PER_TIMEOUT,
  );
  try {
    return await fetchItem(attempt);
  } catch (error) {
    return toOutcome(attempt, error);
  } finally {
    clearInterval(renewing);
  }
}

/** The part of an attempt that identifies it to the account's object. */
export function toRef({ importId, number, uploadId }: BegunItem) {
  return { importId, number, uploadId };
}

async function fetchItem(attempt: Attempt): Promise<AttemptOutcome> {
  if (attempt.item.isContinued) return continueLarge(attempt);
  const source = await attempt.open();
  const { totalBytes, validator } = source;
  try {
    requireRoomFor(attempt.account, totalBytes ?? 0);
  } catch (error) {
    source.bytes.stop();
    throw error;
  }
  // A file of up to one part is fetched again at once. A larger one is kept in parts, if its source can continue from there.
  if (totalBytes === undefined || totalBytes <= PART_BYTES || validator === undefined)
    return storeWhole(attempt, source);
  try {
    const description = { ...describe(attempt, source), length: totalBytes, sent: null, validator };
    await createResumable(attempt.account, description);
  } catch (error) {
    source.bytes.stop();
    throw error;
  }
  return storeLarge(attempt, { validator, totalBytes, offset: 0 }, source);
}

/** Refuses a file that cannot be stored at any compressed size, before its bytes are read. @throws ServiceError 413 */
function requireRoomFor(account: AccountContext, sizeBytes: number): void {
  const { storageLimitBytes, storageUsedBytes } = account.figures;
  if (sizeBytes > MAX_IMPORTED_BYTES) throw ERRORS.UploadTooLong(MAX_IMPORTED_BYTES);
  if (sizeBytes > MAX_COMPRESSIBLE_BYTES && sizeBytes > storageLimitBytes - storageUsedBytes)
    throw storageLimit(account);
}

/** Stores a file as one upload of a raw body: reserved, put into R2, compressed, settled. */
async function storeWhole(attempt: Attempt, source: Source): Promise<AttemptOutcome> {
  const body = new SourceBody(source.bytes.stream, source.totalBytes, MAX_IMPORTED_BYTES);
  const [outcome] = await uploadRawBody(attempt.account, body, describe(attempt, source));
  if (outcome !== undefined && "failed" in outcome) throw outcome.failed.error;
  return { outcome: "stored" };
}

async function continueLarge(attempt: Attempt): Promise<AttemptOutcome> {
  const { resumable, progress } = await findResumable(attempt.account, attempt.item.uploadId);
  if (progress.upload !== undefined) return { outcome: "stored" };
  const { length, offset, facts } = resumable;
  if (length === null || facts.validator === undefined) throw new Error("An upload in pieces has no source");
  return storeLarge(attempt, { validator: facts.validator, totalBytes: length, offset });
}

interface Large {
  readonly validator: string;
  readonly totalBytes: number;
  readonly offset: number;
}

/** Fetches a large file into an upload in pieces. The bytes of each answer that breaks off are kept. */
async function storeLarge(attempt: Attempt, large: Large, opened?: Source): Promise<AttemptOutcome> {
  const { account, item } = attempt;
  const { totalBytes, validator } = large;
  let { offset } = large;
  let source = opened;
  for (let requests = 0; requests < MAX_REQUESTS && !attempt.isOver; requests++) {
    source ??= await attempt
      .open({ offset, totalBytes, validator })
      .catch((error: unknown) => dropChanged(attempt, error));
    const leftBytes = totalBytes - offset;
    const body = new PieceBody(source.bytes.stream, leftBytes, leftBytes);
    const progress = await addPiece(account, item.uploadId, { stream: null, totalBytes: leftBytes, offset, body });
    if (progress.upload !== undefined) return { outcome: "stored" };
    offset = progress.offset;
    source = undefined;
  }
  if (attempt.isStopped || offset - large.offset >= PROGRESS_BYTES)
    return { outcome: "put-off", delayMs: CONTINUED_DELAY_MS, vain: attempt.vain };
  throw attempt.fault ?? ERRORS.SourceFailed("stalled");
}

/** The bytes of a file that has changed are useless: the next attempt begins at the first byte. */
async function dropChanged({ account, item }: Attempt, error: unknown): Promise<never> {
  const isChanged = error instanceof ServiceError && error.details?.reason === "changed";
  if (isChanged) await account.meter.removeResumable(item.uploadId);
  throw error;
}

/** The item's name and fields, as a client would send them. */
function describe({ item }: Attempt, source: Source) {
  const { url: _, filename, folderId, tags, compress, ...facts } = item.facts;
  const fields = {
    ...facts,
    ...(folderId === undefined ? {} : { folderId: folderId ?? "root" }),
    ...(tags.length === 0 ? {} : { tags: tags.join(",") }),
  };
  const options = compress === undefined ? {} : { compress: String(compress) };
  return { filename: filename ?? source.filename, fields, options };
}

function toOutcome({ item, fault, isStopped, vain }: Attempt, error: unknown): AttemptOutcome {
  if (isStopped) return { outcome: "put-off", delayMs: CONTINUED_DELAY_MS, vain };
  if (error instanceof HostBusy) return { outcome: "put-off", delayMs: BUSY_DELAY_MS, vain };
  const cause = fault ?? error;
  if (!(cause instanceof ServiceError)) {
    console.error(toLogLine("import.not-stored", logged(item), cause));
    return { outcome: "again", error: ERRORS.Unavailable(CONTINUED_DELAY_MS / 1000).toBody(), vain };
  }
  const isPassing =
    cause.code === "source_failed"
      ? mayPass(cause)
      : PASSING.includes(cause.statusCode) || PASSING_CODES.includes(cause.code);
  return { outcome: isPassing ? "again" : "failed", error: cause.toBody(), vain };
}

function logged({ importId, number, importer: { accountId } }: BegunItem) {
  return { accountId, importId, number };
}
