import { retryR2 } from "../../../isolate/retry-bucket.ts";
import type { HeldPart } from "../receive/held-part.ts";
import type { IncomingFile } from "../receive/incoming-file.ts";
import { toR2Body } from "./put-object.ts";
import type { StorageReservation } from "./storage-reservation.ts";

/** A multipart upload, what is reserved for it, and where its bytes come from. */
export interface Sending {
  readonly multipart: R2MultipartUpload;
  readonly reservation: StorageReservation;
  readonly incoming: IncomingFile;
}

export interface SentParts {
  readonly parts: readonly R2UploadedPart[];
  readonly sizeBytes: number;
}

/**
 * Sends a file to its end. While one part is on its way to R2, the next one is read as far as there is memory.
 * @param first the file's first part; every part is released once it was sent
 * @throws ServiceError 413, 503; MultipartError, BodyTooLargeError; Error if R2 fails
 */
export async function sendParts(sending: Sending, first: HeldPart): Promise<SentParts> {
  const parts: R2UploadedPart[] = [];
  let sizeBytes = 0;
  for (let part: HeldPart | undefined = first; part !== undefined; ) {
    sizeBytes += part.length;
    const uploading = sendPart(sending, part, { number: parts.length + 1, sizeBytes });
    const reading = readPart(sending.incoming);
    const [uploaded, following] = await Promise.allSettled([uploading, reading]);
    // Both have ended before an error is thrown: a part still under way could outlive the abort.
    if (uploaded.status === "rejected") {
      if (following.status === "fulfilled") following.value?.release({ wasStored: false });
      throw uploaded.reason;
    }
    if (following.status === "rejected") throw following.reason;
    parts.push(uploaded.value);
    part = following.value;
  }
  return { parts, sizeBytes };
}

/** @param upTo the part's number, and the size of the file up to its end */
async function sendPart(
  { multipart, reservation }: Sending,
  part: HeldPart,
  upTo: { readonly number: number; readonly sizeBytes: number },
): Promise<R2UploadedPart> {
  let wasStored = false;
  try {
    await reservation.cover(upTo.sizeBytes);
    const uploaded = await retryR2(() => multipart.uploadPart(upTo.number, toR2Body(part)));
    wasStored = true;
    return uploaded;
  } finally {
    // A client may be slower than R2: what was sent needs no memory while the next part comes.
    part.release({ wasStored });
  }
}

/** @returns undefined at the file's end */
async function readPart(incoming: IncomingFile): Promise<HeldPart | undefined> {
  if (!(await incoming.more())) return undefined;
  const part = incoming.openPart();
  try {
    await incoming.fill(part);
    return part;
  } catch (error) {
    part.release({ wasStored: false });
    throw error;
  }
}
