import { retryR2 } from "../../../isolate/retry-bucket.ts";
import type { HeldPart } from "../receive/held-part.ts";
import type { IncomingFile } from "../receive/incoming-file.ts";
import { toR2Body } from "./put-object.ts";

/**
 * Sends a file to its end. While one part is on its way to R2, the next one is read as far as there is memory.
 * @param first the file's first part
 * @param send is given one part after the other, and releases it (`sendPart`)
 * @throws ServiceError 413, 503; MultipartError, BodyTooLargeError; Error if R2 fails
 */
export async function sendParts(
  incoming: IncomingFile,
  first: HeldPart,
  send: (part: HeldPart) => Promise<void>,
): Promise<void> {
  for (let part: HeldPart | undefined = first; part !== undefined; ) {
    const [sent, following]: [PromiseSettledResult<void>, PromiseSettledResult<HeldPart | undefined>] =
      await Promise.allSettled([send(part), readPart(incoming)]);
    // Both have ended before an error is thrown: a part still under way could outlive the abort.
    if (sent.status === "rejected") {
      if (following.status === "fulfilled") following.value?.release({ wasStored: false });
      throw sent.reason;
    }
    if (following.status === "rejected") throw following.reason;
    part = following.value;
  }
}

/** Has R2 store a part under a number; the part is released, whatever happens. */
export async function sendPart(multipart: R2MultipartUpload, number: number, part: HeldPart): Promise<R2UploadedPart> {
  let wasStored = false;
  try {
    const uploaded = await retryR2(() => multipart.uploadPart(number, toR2Body(part)));
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
