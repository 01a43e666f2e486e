import { MAX_COMPRESSIBLE_BYTES } from "../../media/compress.ts";
import type { AccountContext } from "../context.ts";
import type { IncomingFile } from "./incoming-file.ts";
import { takeLargeImageTurn } from "./large-image-turns.ts";
import { PART_BYTES, type PartBuffer } from "./part-buffer.ts";
import { storeBuffered } from "./store-buffered.ts";
import { storeStream } from "./store-stream.ts";
import { identifyFile, type StoredFile } from "./stored-file.ts";
import type { UploadTracker } from "./upload-tracker.ts";

/** Whole parts, so that what turns out to be larger can be streamed from there. */
const MAX_BUFFER_BYTES = Math.ceil((MAX_COMPRESSIBLE_BYTES + 1) / PART_BYTES) * PART_BYTES;

/**
 * Puts one file of a request into R2: in one go when it fits a part or is to be compressed, else as a multipart upload whose
 * memory does not grow with the file. What comes after the last byte was read goes on in `stored` while the request's next
 * file is being read.
 * @param findQuality what images of this type are to be compressed with, if at all
 * @throws ServiceError 400, 413, 415, 429 for this file alone; nothing of it is left then
 */
export async function storeFile(
  account: AccountContext,
  incoming: IncomingFile,
  tracker: UploadTracker,
  findQuality: (mimeType: StoredFile["mimeType"]) => Promise<number | null>,
): Promise<{ readonly bufferedBytes: number; readonly stored: Promise<StoredFile> }> {
  const head = await incoming.readPart();
  const file = identifyFile(account, incoming.uploadedName, head.bytes, incoming.ended);
  const quality = await findQuality(file.mimeType);
  const release = quality === null || incoming.ended ? undefined : await gatherLargeImage(head, incoming);
  if (incoming.ended) {
    const stored = storeBuffered(account, file, head.bytes, quality, tracker).finally(release);
    return { bufferedBytes: head.length, stored };
  }
  const stored = await storeStream(account, file, head, incoming, tracker).finally(release);
  return { bufferedBytes: 0, stored: Promise.resolve(stored) };
}

/** @returns what gives the turn back; undefined where there was none to be had, and nothing was gathered */
async function gatherLargeImage(buffer: PartBuffer, incoming: IncomingFile): Promise<(() => void) | undefined> {
  const release = await takeLargeImageTurn();
  if (release === undefined) return undefined;
  try {
    buffer.raiseLimit(MAX_BUFFER_BYTES, incoming.remainingBytes);
    await incoming.readMore(buffer);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}
