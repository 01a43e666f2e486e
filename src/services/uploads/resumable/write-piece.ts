import type { Upload } from "../../../db/library/schema.ts";
import { ERRORS, ServiceError } from "../../../domain/errors.ts";
import { toLogLine } from "../../../domain/log-line.ts";
import type { Resumable } from "../../../meter/resumable.ts";
import type { AccountContext } from "../../context.ts";
import { startHeartbeat } from "../receive/heartbeat.ts";
import { IncomingFile } from "../receive/incoming-file.ts";
import { UploadRun } from "../upload-run.ts";
import type { PieceBody } from "./piece-body.ts";
import { receivePiece } from "./receive-piece.ts";
import { HELD_RETRY_AFTER_SECONDS, ResumableWriter } from "./writer.ts";

/** How far an upload is. */
export interface Progress {
  readonly offset: number;
  /** Once all bytes are there and stored. */
  readonly upload?: Upload;
}

/**
 * Adds a request's bytes to an upload that was opened for it, and finishes the upload with the last of them. However the request ends,
 * the bytes that came are kept.
 * @throws ServiceError 400, 415 for what is no image and no video: nothing is left of the upload then; 413, 423, 429, 503
 */
export async function writePiece(
  account: AccountContext,
  upload: Resumable,
  writerName: string,
  body: PieceBody,
): Promise<Progress> {
  using run = new UploadRun(account, body);
  const incoming = new IncomingFile(upload.facts.filename, body, run);
  using writer = new ResumableWriter(account, upload, writerName, { body, part: () => incoming.part });
  const heartbeat = startHeartbeat(run);
  try {
    const stored = await receivePiece({ run, incoming, writer, upload });
    if (stored !== undefined) return { offset: upload.length ?? writer.offset, upload: stored };
    // A client that sends nothing goes on from here; one whose memory others need comes back later.
    if (heartbeat.verdict?.statusCode === 503) throw heartbeat.verdict;
    if (body.isTooLong) throw ERRORS.UploadTooLong(upload.length ?? account.config.maxUploadBytes);
    if (writer.isWanted) throw ERRORS.UploadHeld(HELD_RETRY_AFTER_SECONDS);
    await writer.release();
    return { offset: writer.offset };
  } catch (error) {
    await run.open.rollBack();
    await letGo(account, upload.id, writer, error);
    await body.refuse();
    throw error;
  } finally {
    heartbeat.stop();
  }
}

/** What can never become an upload of ours is dropped; everything else can be gone on with. */
async function letGo(
  account: AccountContext,
  uploadId: string,
  writer: ResumableWriter,
  error: unknown,
): Promise<void> {
  const isNoFile = error instanceof ServiceError && (error.statusCode === 400 || error.statusCode === 415);
  try {
    if (isNoFile) await account.meter.discardResumable(uploadId, writer.writer);
    else await writer.release();
  } catch (failure) {
    // Its lease ends by itself, and an upload that nobody goes on with expires.
    console.error(toLogLine("resumable.not-released", { uploadId }, failure));
  }
}
