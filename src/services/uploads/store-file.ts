import { MAX_COMPRESSIBLE_BYTES } from "../../media/compress.ts";
import type { AccountContext } from "../context.ts";
import { compressStored } from "./compress-stored.ts";
import { gatherLargeImage } from "./gather-large-image.ts";
import type { IncomingFile } from "./incoming-file.ts";
import { largeImageTurns } from "./large-image-turns.ts";
import { PART_BYTES, PartBuffer } from "./part-buffer.ts";
import type { PartBuffers } from "./part-buffers.ts";
import { storeBuffered } from "./store-buffered.ts";
import { storeStream } from "./store-stream.ts";
import { type IdentifiedFile, identifyFile, type StoredFile } from "./stored-file.ts";
import type { UploadTracker } from "./upload-tracker.ts";

/** What is read of a file that may be large before it must have leave for a part. */
const HEAD_BYTES = 512 * 1024;
/** Whole parts, so that what turns out to be larger can be streamed from there. */
const MAX_GATHERED_BYTES = Math.ceil((MAX_COMPRESSIBLE_BYTES + 1) / PART_BYTES) * PART_BYTES;

interface Storing {
  readonly bufferedBytes: number;
  readonly stored: Promise<StoredFile>;
}

/**
 * Puts one file of a request into R2: in one go when it fits a part or is to be compressed, else as a multipart upload whose
 * memory does not grow with the file. What comes after the last byte was read goes on in `stored` while the request's next
 * file is being read.
 * @param buffers of the request, which has none but for the file at hand
 * @param findQuality what images of this type are to be compressed with, if at all
 * @throws ServiceError 400, 413, 415, 429, 503 for this file alone; nothing of it is left then
 */
export async function storeFile(
  account: AccountContext,
  incoming: IncomingFile,
  tracker: UploadTracker,
  buffers: PartBuffers,
  findQuality: (mimeType: StoredFile["mimeType"]) => Promise<number | null>,
): Promise<Storing> {
  try {
    const head = await readHead(incoming, buffers);
    const file = identifyFile(account, incoming.uploadedName, head.bytes, incoming.ended);
    const quality = await findQuality(file.mimeType);
    if (incoming.ended) {
      return { bufferedBytes: head.length, stored: storeBuffered(account, file, head.bytes, quality, tracker) };
    }
    if (quality !== null) return await storeLargeImage(account, file, head, incoming, tracker, buffers, quality);
    const stored = await storeStream(account, file, head, incoming, tracker, buffers);
    return { bufferedBytes: 0, stored: Promise.resolve(stored) };
  } finally {
    buffers.release();
  }
}

/** A file's first part, or all of it. */
async function readHead(incoming: IncomingFile, buffers: PartBuffers): Promise<PartBuffer> {
  const head = new PartBuffer(HEAD_BYTES);
  await incoming.readMore(head);
  if (head.length + incoming.remainingBytes >= PART_BYTES) await buffers.require();
  head.raiseLimit(PART_BYTES);
  await incoming.readMore(head);
  return head;
}

/**
 * An image over one part is gathered in memory where it can be at once. Else it is stored as uploaded first, and compressed
 * when its client has sent everything: what a client sends slowly keeps nobody from memory.
 */
async function storeLargeImage(
  account: AccountContext,
  file: IdentifiedFile,
  head: PartBuffer,
  incoming: IncomingFile,
  tracker: UploadTracker,
  buffers: PartBuffers,
  quality: number,
): Promise<Storing> {
  const turn = largeImageTurns.tryTake();
  let isInUse = false;
  try {
    if (turn !== undefined) {
      head.raiseLimit(MAX_GATHERED_BYTES, incoming.remainingBytes);
      await gatherLargeImage(head, incoming);
      if (incoming.ended) {
        isInUse = true;
        const stored = storeBuffered(account, file, head.bytes, quality, tracker).finally(turn.release);
        return { bufferedBytes: head.length, stored };
      }
    }
    const stored = await storeStream(account, file, head, incoming, tracker, buffers, turn?.release);
    buffers.release();
    return { bufferedBytes: 0, stored: Promise.resolve(await compressStored(account, stored, quality)) };
  } finally {
    if (!isInUse) turn?.release();
  }
}
