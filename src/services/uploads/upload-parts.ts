import type { IncomingFile } from "./incoming-file.ts";
import { PART_BYTES, type PartBuffer } from "./part-buffer.ts";
import type { PartBuffers } from "./part-buffers.ts";
import type { StreamReservation } from "./stream-reservation.ts";

/** A multipart upload as far as it has come. */
export interface SentParts {
  readonly multipart: R2MultipartUpload;
  readonly reservation: StreamReservation;
  readonly parts: R2UploadedPart[];
  sizeBytes: number;
}

/**
 * Sends a file to its end. One part is on its way to R2 while the next one fills, where memory is plenty; else they take
 * turns in one buffer.
 * @throws ServiceError 413, 503; MultipartError, BodyTooLargeError; Error where R2 fails
 */
export async function uploadParts(
  sent: SentParts,
  head: PartBuffer,
  incoming: IncomingFile,
  buffers: PartBuffers,
  headSent?: () => void,
): Promise<void> {
  let filled: PartBuffer | undefined = head;
  if (!head.isPart) {
    filled = await sendGathered(sent, head, buffers);
    headSent?.();
    await incoming.readMore(filled);
  }
  while (filled !== undefined && filled.length > 0) {
    const current: PartBuffer = filled;
    const uploading = uploadPart(sent, current.bytes);
    const [uploaded, following] = await Promise.allSettled([
      uploading,
      readNext(current, uploading, incoming, buffers),
    ]);
    // Both have ended before an error is thrown: a part still under way could outlive the abort.
    if (uploaded.status === "rejected") throw uploaded.reason;
    if (following.status === "rejected") throw following.reason;
    filled = following.value;
    if (filled === undefined) buffers.recycle(current);
  }
}

/** The whole parts of what was gathered of an image. @returns the rest */
async function sendGathered(sent: SentParts, gathered: PartBuffer, buffers: PartBuffers): Promise<PartBuffer> {
  const rest = buffers.open();
  for (const bytes of gathered.parts()) {
    if (bytes.length === PART_BYTES) await uploadPart(sent, bytes);
    else rest.append(bytes);
  }
  gathered.takeMemory();
  return rest;
}

async function uploadPart(sent: SentParts, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await sent.reservation.cover(sent.sizeBytes + bytes.length);
  sent.sizeBytes += bytes.length;
  sent.parts.push(await sent.multipart.uploadPart(sent.parts.length + 1, bytes));
}

/** @returns the part behind the one that is being uploaded; undefined where that was the last */
async function readNext(
  current: PartBuffer,
  uploading: Promise<void>,
  incoming: IncomingFile,
  buffers: PartBuffers,
): Promise<PartBuffer | undefined> {
  if (!(await incoming.more())) return undefined;
  const spare = buffers.tryOpenSpare();
  if (spare === undefined) {
    await uploading;
    current.clear();
    await incoming.readMore(current);
    return current;
  }
  // A client may be slower than R2: what was sent needs no memory while the next part comes.
  const closing = uploading.then(
    () => buffers.close(current),
    () => undefined,
  );
  await incoming.readMore(spare);
  await closing;
  return spare;
}
