import type { VideoFacts } from "../domain/video-facts.ts";
import { readAtMost, readReason } from "./read-answer.ts";
import { ThumbnailTimeout } from "./thumbnail-timeout.ts";

/** A JPEG 640 pixels wide is far from it, whatever its shape. */
const MAX_THUMBNAIL_BYTES = 4 * 1024 * 1024;
const MAX_SIDE = 65_535;

export type Thumbnail =
  | {
      readonly outcome: "made";
      readonly jpeg: Uint8Array<ArrayBuffer>;
      readonly facts: VideoFacts;
    }
  /** There never will be one. */
  | { readonly outcome: "impossible"; readonly reason: string };

/**
 * What the media processor answered to `POST /thumbnail`: 200 is one, 422 says that there never will be one.
 * @throws ThumbnailTimeout for a 504 with a reason, which is the processor's own; what stands before one that is down gives none
 * @throws Error where it is none of these, or not what it says: it may work later
 */
export async function readThumbnailAnswer(answer: Response): Promise<Thumbnail> {
  try {
    if (answer.status === 200) return await readThumbnail(answer);
    if (answer.status === 422) return { outcome: "impossible", reason: await readReason(answer) };
    if (answer.status === 504) throw await readTimeout(answer);
    throw new Error(`The media processor answered ${answer.status}`);
  } finally {
    // What was read to its end has nothing left to cancel.
    await answer.body?.cancel().catch(() => undefined);
  }
}

async function readThumbnail({ headers, body }: Response): Promise<Thumbnail> {
  const [width, height] = [readSide(headers.get("Media-Width")), readSide(headers.get("Media-Height"))];
  const durationMs = readDurationMs(headers.get("Media-Duration"));
  const sizeBytes = Number(headers.get("Content-Length"));
  const isJpeg = headers.get("Content-Type") === "image/jpeg";
  if (isJpeg && width !== undefined && height !== undefined && durationMs !== undefined && sizeBytes > 0) {
    const jpeg = sizeBytes <= MAX_THUMBNAIL_BYTES ? await readAtMost(body, sizeBytes) : undefined;
    if (jpeg?.length === sizeBytes && isWholeJpeg(jpeg))
      return { outcome: "made", jpeg, facts: { width, height, durationMs } };
  }
  throw new Error("The media processor's answer is not a thumbnail");
}

async function readTimeout(answer: Response): Promise<Error> {
  const reason = await readReason(answer).catch(() => undefined);
  return reason === undefined ? new Error("The media processor answered 504") : new ThumbnailTimeout(reason);
}

function readSide(text: string | null): number | undefined {
  const side = /^[1-9]\d{0,4}$/.test(text ?? "") ? Number(text) : undefined;
  return side !== undefined && side <= MAX_SIDE ? side : undefined;
}

/** Null where the file does not tell, or tells what no clock can: some claim thousands of years. */
function readDurationMs(text: string | null): number | null | undefined {
  if (text === null) return null;
  if (!/^\d{1,15}(\.\d{1,15})?$/.test(text)) return undefined;
  const durationMs = Math.round(Number(text) * 1000);
  return Number.isSafeInteger(durationMs) ? durationMs : null;
}

/** ITU-T T.81, B.1.1.3: it begins with SOI, directly followed by a marker, and ends with EOI. */
function isWholeJpeg(bytes: Uint8Array): boolean {
  const isMarked = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
  return isMarked && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9;
}
