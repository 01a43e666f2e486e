import type { Upload } from "../../../db/library/schema.ts";
import { ERRORS, type ErrorCode, ServiceError } from "../../../domain/errors.ts";
import { toLogLine } from "../../../domain/log-line.ts";
import { storedKey } from "../../../domain/object-key.ts";
import { DROP_BYTES, MAX_RESUMABLE_BYTES } from "../../../domain/resumable.ts";
import { type Resumable, type ResumableFile, resumableKey } from "../../../meter/resumable/resumable.ts";
import type { AccountContext } from "../../context.ts";
import { DuplicateFound } from "../known-bytes.ts";
import type { ContentHash } from "../receive/content-hash.ts";
import { type HeldPart, IncomingFile } from "../receive/incoming-file.ts";
import { identifyFile, requireAllowedType } from "../store/identify-file.ts";
import { FileScrub, PartHashes } from "../store/scrub-and-hash.ts";
import { SNIFFED_BYTES } from "../store/store-file.ts";
import { sendPart, sendParts } from "../store/write-to-r2.ts";
import { identifyClaim, startHeartbeat, UploadRun } from "../upload-run.ts";
import { addDrop, readDrop } from "./add-drop.ts";
import { commitStored, finishHeld, finishStreamed } from "./finish-upload.ts";
import { PieceBody } from "./piece-body.ts";
import { HELD_RETRY_AFTER_SECONDS, openResumable, progressOf, type ResumableProgress } from "./unfinished-uploads.ts";
import { ResumableWriter } from "./writer.ts";

/** Errors of uploads that can never be stored. */
const INVALID_FILE: ReadonlySet<ErrorCode> = new Set([
  "file_invalid",
  "unsupported_media_type",
  "type_not_allowed",
  "content_blocked",
  "external_id_taken",
]);

/** The bytes of a request. */
interface PieceRequest {
  readonly stream: ReadableStream<Uint8Array> | null;
  /** Undefined if the client has not declared it. */
  readonly totalBytes: number | undefined;
  /** The offset of the first byte. */
  readonly offset: number;
  /** The upload's length, if this request declares it. */
  readonly length?: number | undefined;
  /** The stream, if it is already being read. */
  readonly body?: PieceBody;
}

/**
 * Adds a request's bytes to an upload, and completes it with the last of them.
 * @throws ServiceError 400, 404, 409, 413, 415, 423, 429, 503
 */
export async function addPiece(
  account: AccountContext,
  uploadId: string,
  request: PieceRequest,
): Promise<ResumableProgress> {
  const { stream, totalBytes, offset, length } = request;
  const { maxUploadBytes } = account.config;
  if (length !== undefined && length > MAX_RESUMABLE_BYTES) throw ERRORS.UploadTooLong(MAX_RESUMABLE_BYTES);
  if (totalBytes !== undefined && totalBytes > 0 && totalBytes <= DROP_BYTES && request.body === undefined) {
    const bytes = await readDrop(new PieceBody(stream, totalBytes, DROP_BYTES));
    const added = await addDrop(account, uploadId, { offset, bytes, ...(length === undefined ? {} : { length }) });
    if (added !== undefined) return added;
    const body = new PieceBody(new Blob([bytes]).stream(), bytes.length, DROP_BYTES);
    return addPiece(account, uploadId, { ...request, body });
  }
  const writer = crypto.randomUUID();
  const claim = { writer, offset, comingBytes: totalBytes ?? 0, ...(length === undefined ? {} : { length }) };
  const { upload, isOpen } = await openResumable(account, uploadId, claim);
  if (!isOpen) return progressOf(account, upload);
  const leftBytes = (upload.length ?? MAX_RESUMABLE_BYTES) - offset;
  if (totalBytes !== undefined && totalBytes > leftBytes) {
    await account.meter.releaseResumable(uploadId, writer);
    throw ERRORS.UploadTooLong(upload.length ?? MAX_RESUMABLE_BYTES);
  }
  const body = request.body ?? new PieceBody(stream, totalBytes, Math.min(maxUploadBytes, leftBytes));
  return writePiece(account, upload, writer, body);
}

/**
 * An upload's state. A request that hangs while writing to it is stopped, so that the answered offset stays valid; an
 * upload with all of its bytes is completed.
 * @throws ServiceError 404, 423, 429, 503
 */
export async function lookUp(account: AccountContext, uploadId: string): Promise<Resumable> {
  const writer = crypto.randomUUID();
  const { upload, isOpen } = await openResumable(account, uploadId, { writer });
  if (!isOpen) return upload;
  const { offset } = await writePiece(account, upload, writer, new PieceBody(null, 0, 0));
  return { ...upload, offset };
}

/**
 * Adds a request's bytes to an opened upload, and completes the upload with the last of them. Received bytes are kept even if the request
 * fails.
 * @throws ServiceError 400, 415 for files that are not supported, whose upload is deleted; 413, 423, 429, 503
 */
async function writePiece(
  account: AccountContext,
  upload: Resumable,
  writerName: string,
  body: PieceBody,
): Promise<ResumableProgress> {
  using run = new UploadRun(account, body);
  run.options = upload.facts;
  const incoming = new IncomingFile(upload.facts.filename, body, run);
  const writing = { body, memory: run.memory, part: () => incoming.part, isAlive: () => run.progress.isAlive };
  using writer = new ResumableWriter(account, upload, writerName, writing);
  const heartbeat = startHeartbeat(run);
  try {
    if (body.remainingContentBytes > 0) await run.memory.openWindow();
    const stored = await receivePiece({ run, incoming, writer, upload, content: body.content });
    if (stored !== undefined) return { offset: upload.length ?? writer.offset, upload: stored };
    // A silent client resumes from here. A client whose memory others need must retry later.
    if (heartbeat.verdict?.code === "service_unavailable") throw heartbeat.verdict;
    if (body.isTooLong) throw ERRORS.UploadTooLong(upload.length ?? account.config.maxUploadBytes);
    if (writer.isWanted) throw ERRORS.UploadLocked(HELD_RETRY_AFTER_SECONDS);
    await writer.release();
    return { offset: writer.offset };
  } catch (error) {
    await run.open.rollBack();
    if (error instanceof DuplicateFound) {
      await account.meter.endDuplicate(upload.id, writerName, error.upload.id);
      return { offset: upload.length ?? writer.offset, upload: error.upload, isDuplicate: true };
    }
    await letGo(account, upload.id, writer, error);
    await body.refuse();
    throw error;
  } finally {
    heartbeat.stop();
  }
}

/** An upload that can never be valid is deleted. All others can be resumed. */
async function letGo(
  account: AccountContext,
  uploadId: string,
  writer: ResumableWriter,
  error: unknown,
): Promise<void> {
  const isInvalid = error instanceof ServiceError && INVALID_FILE.has(error.code);
  try {
    if (isInvalid) await account.meter.discardResumable(uploadId, writer.writer);
    else await writer.release();
  } catch (failure) {
    // The lease expires, and so does an upload that is not resumed.
    console.error(toLogLine("resumable.not-released", { uploadId }, failure));
  }
}

/** One request's work on an upload. */
interface Piece {
  readonly run: UploadRun;
  readonly incoming: IncomingFile;
  readonly writer: ResumableWriter;
  /** The upload's state when the request opened it. */
  readonly upload: Resumable;
  /** Identifies the request, if it has an idempotency key. */
  readonly content: ContentHash | undefined;
}

/** The most bytes of the tail that one call to the account's object returns. */
const TAIL_CALL_BYTES = 2 * 1024 * 1024;

/**
 * Appends a request's bytes: whole parts go to R2, the remaining bytes to the account's object.
 * @returns the upload after it is stored; undefined while bytes are missing
 * @throws ServiceError 400, 413, 415, 423, 429, 503; Error if a store fails
 */
async function receivePiece(piece: Piece): Promise<Upload | undefined> {
  const { run, incoming, writer, upload, content } = piece;
  const first = await openFirstPart(piece);
  let isHandedOver = false;
  try {
    if (writer.file === null) {
      await incoming.fill(first, SNIFFED_BYTES);
      if (first.length >= SNIFFED_BYTES || writer.isLast(first)) requireAllowedType(run.account, first);
    }
    await incoming.fill(first);
    isHandedOver = true;
    if (writer.file === null && writer.isLast(first)) {
      await identifyClaim(run.account, content);
      return commitStored(run, await finishHeld(run, upload, first), upload);
    }
  } finally {
    if (!isHandedOver) first.release({ wasStored: false });
  }
  if (first.length > 0) await sendParts(incoming, { first }, (part) => take(piece, part));
  else first.release({ wasStored: false });
  if (writer.offset !== upload.length || writer.file === null) return undefined;
  await identifyClaim(run.account, content);
  return commitStored(run, await finishStreamed(run, { upload, file: writer.file, writer: writer.writer }), upload);
}

/** The part for the next bytes, filled with the tail. */
async function openFirstPart({ run, incoming, upload }: Piece): Promise<HeldPart> {
  const part = incoming.openPart(upload.offset - upload.tailStart);
  try {
    for (let at = upload.tailStart; at < upload.offset; ) {
      const pieces = await run.account.meter.readTail(upload.id, at, TAIL_CALL_BYTES);
      if (pieces.length === 0) throw new Error("The tail ends before the upload does");
      for (const piece of pieces) {
        at += piece.length;
        for (let left = piece; left.length > 0; ) {
          await part.makeRoom();
          left = left.subarray(part.append(left));
        }
      }
    }
    return part;
  } catch (error) {
    part.release({ wasStored: false });
    throw error;
  }
}

/** Puts a part into R2 if it is full, or the upload's last part. A smaller part was cut off by the end of the request and is kept in the object. */
async function take(piece: Piece, part: HeldPart): Promise<void> {
  const { run, writer } = piece;
  let wasStored = false;
  try {
    if (!part.isFull && !writer.isLast(part)) {
      await writer.keep(part);
      wasStored = true;
      return;
    }
    const { files } = run.account;
    const begun = writer.file;
    const { file, announcing } = begun === null ? await begin(piece, part) : { file: begun, announcing: undefined };
    const multipart = files.resumeMultipartUpload(resumableKey(file), file.multipartId);
    await writer.commit(part, async (number) => {
      // From now on, the bytes of the part are stored nowhere else.
      const scrub = FileScrub.resume(file.scrub);
      const hashes = file.hashes === undefined ? undefined : PartHashes.resume(file.hashes);
      if (hashes === undefined) await scrub.scrub(part);
      else await hashes.scrub(scrub, part);
      const states = {
        scrub: scrub.text,
        hashes: hashes && PartHashes.textOf(hashes),
        sha256: writer.isLast(part) ? hashes?.sha256 : undefined,
      };
      const [sent, announced] = await Promise.allSettled([sendPart(multipart, number, part), announcing]);
      if (sent.status === "rejected") throw sent.reason;
      if (announced.status === "rejected") throw announced.reason;
      return { part: sent.value, states };
    });
    wasStored = true;
  } finally {
    part.release({ wasStored });
  }
}

interface Begun {
  readonly file: ResumableFile;
  /** Settled when the account's object knows the file; the first part is sent at the same time. */
  readonly announcing: Promise<void>;
}

async function begin({ run, writer, upload }: Piece, part: HeldPart): Promise<Begun> {
  const { visibility = "public" } = upload.facts;
  const first = { mimeType: requireAllowedType(run.account, part), part, isWhole: false, visibility };
  const identified = identifyFile(run, upload.facts.filename, first, upload.id);
  const { uploadId: _, createdAt: __, ...facts } = identified;
  const { mimeType } = facts;
  // This is announced only now: if the Worker ends before, R2 itself drops the unfinished multipart upload.
  const httpMetadata = { contentType: mimeType };
  const { uploadId: multipartId } = await run.account.files.createMultipartUpload(storedKey(identified), {
    httpMetadata,
  });
  const scrub = FileScrub.begin(run, mimeType).text;
  const hashes = PartHashes.textOf(PartHashes.resume());
  const file = { ...facts, multipartId, scrub, hashes };
  const announcing = writer.begin(file);
  // The promise is awaited with the part, but it may fail before.
  announcing.catch(() => undefined);
  return { file, announcing };
}
