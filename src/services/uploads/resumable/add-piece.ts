import { ERRORS } from "../../../domain/errors.ts";
import { MAX_RESUMABLE_BYTES } from "../../../domain/resumable.ts";
import type { Resumable } from "../../../meter/resumable.ts";
import type { AccountContext } from "../../context.ts";
import { openResumable, progressOf } from "./open-resumable.ts";
import { PieceBody } from "./piece-body.ts";
import { type Progress, writePiece } from "./write-piece.ts";

/** The bytes of a request. */
export interface PieceRequest {
  readonly stream: ReadableStream<Uint8Array> | null;
  /** Undefined if the client does not say how many there are. */
  readonly totalBytes: number | undefined;
  /** Where they begin. */
  readonly offset: number;
  /** The upload's length, where it is said only now. */
  readonly length?: number | undefined;
}

/**
 * Adds a request's bytes to an upload, and finishes it with the last of them.
 * @throws ServiceError 400, 404, 409, 413, 415, 423, 429, 503
 */
export async function addPiece(account: AccountContext, uploadId: string, request: PieceRequest): Promise<Progress> {
  const { stream, totalBytes, offset, length } = request;
  const { maxUploadBytes } = account.config;
  if (length !== undefined && length > MAX_RESUMABLE_BYTES) throw ERRORS.UploadTooLong(MAX_RESUMABLE_BYTES);
  const writer = crypto.randomUUID();
  const claim = { writer, offset, comingBytes: totalBytes ?? 0, ...(length === undefined ? {} : { length }) };
  const { upload, isOpen } = await openResumable(account, uploadId, claim);
  if (!isOpen) return progressOf(account, upload);
  const leftBytes = (upload.length ?? MAX_RESUMABLE_BYTES) - offset;
  if (totalBytes !== undefined && totalBytes > leftBytes) {
    await account.meter.releaseResumable(uploadId, writer);
    throw ERRORS.UploadTooLong(upload.length ?? MAX_RESUMABLE_BYTES);
  }
  return writePiece(account, upload, writer, new PieceBody(stream, totalBytes, Math.min(maxUploadBytes, leftBytes)));
}

/**
 * How far an upload is. A request that hangs in the middle of writing to it is made to stop, so that what is answered stays; an upload
 * whose bytes are all there is finished.
 * @throws ServiceError 404, 423, 429, 503
 */
export async function lookUp(account: AccountContext, uploadId: string): Promise<Resumable> {
  const writer = crypto.randomUUID();
  const { upload, isOpen } = await openResumable(account, uploadId, { writer });
  if (!isOpen) return upload;
  const { offset } = await writePiece(account, upload, writer, new PieceBody(null, 0, 0));
  return { ...upload, offset };
}
