import type { Upload } from "../../../db/library/schema.ts";
import type { Resumable, ResumableFile } from "../../../meter/resumable.ts";
import type { HeldPart } from "../receive/held-part.ts";
import type { IncomingFile } from "../receive/incoming-file.ts";
import { identifyFile, requireMediaType } from "../store/identify-file.ts";
import { sendPart, sendParts } from "../store/send-parts.ts";
import { SNIFFED_BYTES } from "../store/store-file.ts";
import type { UploadRun } from "../upload-run.ts";
import { commitStored, finishHeld, finishStreamed } from "./finish-upload.ts";
import type { ResumableWriter } from "./writer.ts";

/** One request's work on an upload. */
export interface Piece {
  readonly run: UploadRun;
  readonly incoming: IncomingFile;
  readonly writer: ResumableWriter;
  /** As it was when the request opened it. */
  readonly upload: Resumable;
}

/** What one call to the account's object brings of the tail. */
const TAIL_CALL_BYTES = 2 * 1024 * 1024;

/**
 * Reads a request's bytes behind those that are kept: whole parts go to R2, and what is left in the end to the account's object.
 * @returns the upload, once it is stored; undefined as long as bytes are missing
 * @throws ServiceError 400, 413, 415, 423, 429, 503; Error if a store fails
 */
export async function receivePiece(piece: Piece): Promise<Upload | undefined> {
  const { run, incoming, writer, upload } = piece;
  const first = await openFirstPart(piece);
  let isHandedOver = false;
  try {
    if (writer.file === null) {
      await incoming.fill(first, SNIFFED_BYTES);
      if (first.length >= SNIFFED_BYTES || writer.isLast(first)) requireMediaType(first);
    }
    await incoming.fill(first);
    isHandedOver = true;
    if (writer.file === null && writer.isLast(first)) {
      return commitStored(run, await finishHeld(run, upload, first), upload);
    }
  } finally {
    if (!isHandedOver) first.release({ wasStored: false });
  }
  if (first.length > 0) await sendParts(incoming, first, (part) => take(piece, part));
  else first.release({ wasStored: false });
  if (writer.offset !== upload.length || writer.file === null) return undefined;
  return commitStored(run, await finishStreamed(run, { upload, file: writer.file, writer: writer.writer }), upload);
}

/** The part that the next bytes belong to, with the tail in it. */
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

/** A part that is full, or the upload's last one, goes to R2; any other was cut short by the request's end. */
async function take(piece: Piece, part: HeldPart): Promise<void> {
  const { run, writer } = piece;
  try {
    if (!part.isFull && !writer.isLast(part)) return await writer.keep(part);
    const { files } = run.account;
    const begun = writer.file;
    const { file, announcing } = begun === null ? await begin(piece, part) : { file: begun, announcing: undefined };
    const multipart = files.resumeMultipartUpload(file.objectKey, file.multipartId);
    await writer.commit(part, async (number) => {
      const [sent, announced] = await Promise.allSettled([sendPart(multipart, number, part), announcing]);
      if (sent.status === "rejected") throw sent.reason;
      if (announced.status === "rejected") throw announced.reason;
      return sent.value;
    });
  } finally {
    part.release({ wasStored: false });
  }
}

interface Begun {
  readonly file: ResumableFile;
  /** The account's object learns of it while the first part is on its way. */
  readonly announcing: Promise<void>;
}

async function begin({ run, writer, upload }: Piece, part: HeldPart): Promise<Begun> {
  const first = { mimeType: requireMediaType(part), part, isWhole: false };
  const identified = identifyFile(run.account, upload.facts.filename, first, upload.id);
  const { objectKey, originalFilename, mimeType, width, height } = identified;
  // Not announced before: were the Worker to die here, R2 itself drops what was never completed.
  const httpMetadata = { contentType: mimeType };
  const { uploadId: multipartId } = await run.account.files.createMultipartUpload(objectKey, { httpMetadata });
  const file = { objectKey, originalFilename, mimeType, width, height, multipartId };
  const announcing = writer.begin(file);
  // Awaited with the part; it may fail before.
  announcing.catch(() => undefined);
  return { file, announcing };
}
