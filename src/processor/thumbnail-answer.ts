import { findNoThumbnailReason, type NoThumbnailReason } from "../domain/no-thumbnail.ts";
import type { VideoFacts } from "../domain/video-facts.ts";
import { readAtMost, readReason, readRefusal } from "./read-answer.ts";

/**
 * The most bytes of a picture. Noise takes fewer: a frame of 1,920 by 1,920 pixels at quality 90 takes 3.0 MB, a thumbnail of 640 by 8,192
 * at 80 takes 3.3 MB.
 */
const MAX_THUMBNAIL_BYTES = 4 * 1024 * 1024;
const MAX_SIDE = 65_535;

export type Thumbnail =
  | {
      readonly outcome: "made";
      readonly jpeg: Uint8Array<ArrayBuffer>;
      readonly facts: VideoFacts;
    }
  /** A thumbnail is impossible. */
  | { readonly outcome: "impossible"; readonly reason: string }
  /** The file is intact and has no picture to show. */
  | { readonly outcome: "none"; readonly reason: NoThumbnailReason };

/**
 * The media processor's time for a thumbnail was up, and it cannot determine whose fault that was. A later try may work. There should be
 * few tries, because each takes the full time. The message is the processor's reason.
 */
export class ThumbnailTimeout extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ThumbnailTimeout";
  }
}

/**
 * Reads the media processor's answer to `POST /thumbnail`: 200 has a thumbnail, 422 means that a thumbnail is impossible.
 * @throws ThumbnailTimeout for a 504 with a reason, which comes from the processor; a proxy before a dead processor gives none
 * @throws Error for any other or inconsistent answer: a later try may work
 */
export async function readThumbnailAnswer(answer: Response): Promise<Thumbnail> {
  try {
    if (answer.status === 200) return await readThumbnail(answer);
    if (answer.status === 422) return await readPermanent(answer);
    if (answer.status === 504) throw await readTimeout(answer);
    throw new Error(`The media processor answered ${answer.status}`);
  } finally {
    // A body that was read to its end cannot be cancelled.
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

async function readPermanent(answer: Response): Promise<Thumbnail> {
  const { reason, code } = await readRefusal(answer);
  const none = findNoThumbnailReason(code);
  return none === undefined ? { outcome: "impossible", reason } : { outcome: "none", reason: none };
}

async function readTimeout(answer: Response): Promise<Error> {
  const reason = await readReason(answer).catch(() => undefined);
  return reason === undefined ? new Error("The media processor answered 504") : new ThumbnailTimeout(reason);
}

function readSide(text: string | null): number | undefined {
  const side = /^[1-9]\d{0,4}$/.test(text ?? "") ? Number(text) : undefined;
  return side !== undefined && side <= MAX_SIDE ? side : undefined;
}

/** Null if the duration is unknown or absurd: some files claim thousands of years. */
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
