import type { PreviewAnswer } from "../codecs/preview/make-preview.ts";
import { readAtMost, readReason } from "./read-answer.ts";

/** A preview of 1,024 by 256 pixels of noise is far from it. */
const MAX_PREVIEW_BYTES = 1024 * 1024;

/**
 * What the media processor answered to `POST /preview`: 200 is one, 413 and 422 say that there never will be one.
 * @throws Error where it is none of these, or not what it says: it may work later
 */
export async function readPreviewAnswer(answer: Response): Promise<PreviewAnswer> {
  try {
    if (answer.status === 200) return { outcome: "made", webp: await readPreview(answer) };
    if (answer.status === 413 || answer.status === 422)
      return { outcome: "impossible", reason: await readReason(answer) };
    throw new Error(`The media processor answered ${answer.status}`);
  } finally {
    // What was read to its end has nothing left to cancel.
    await answer.body?.cancel().catch(() => undefined);
  }
}

async function readPreview({ headers, body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const sizeBytes = Number(headers.get("Content-Length"));
  if (headers.get("Content-Type") === "image/webp" && sizeBytes > 0 && sizeBytes <= MAX_PREVIEW_BYTES) {
    const webp = await readAtMost(body, sizeBytes);
    if (webp.length === sizeBytes) return webp;
  }
  throw new Error("The media processor's answer is not a preview");
}
