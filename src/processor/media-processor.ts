import { MEDIA_TYPES, type MediaType } from "../media/sniff.ts";
import { readThumbnailAnswer, type Thumbnail } from "./thumbnail-answer.ts";

/** Longer than the largest image takes; an upload's client and its reservation are waiting. */
const COMPRESS_TIMEOUT_MS = 60_000;

export interface ProcessedImage {
  readonly type: MediaType;
  readonly sizeBytes: number;
  /** Of exactly `sizeBytes`. */
  readonly body: ReadableStream<Uint8Array>;
}

/** DESIGN, Thumbnails. */
const THUMBNAIL = { width: 640, quality: 80 };
const THUMBNAIL_TIMEOUT_MS = 60_000;

/** What an isolate's memory does not hold: a process of its own with sharp and ffmpeg (`container/`). */
export class MediaProcessor {
  readonly #fetch: (path: string, init: RequestInit) => Promise<Response>;

  /** @param send reaches the processor, wherever it runs */
  constructor(send: (path: string, init: RequestInit) => Promise<Response>) {
    this.#fetch = send;
  }

  /**
   * The image, compressed by the rules of `media/compress.ts`. Undefined where the original is to be kept.
   * @param quality 50 to 100
   * @throws Error where the processor cannot be reached, is busy or failed
   */
  async compress(
    type: MediaType,
    quality: number,
    image: Uint8Array<ArrayBuffer>,
  ): Promise<ProcessedImage | undefined> {
    const answer = await this.#fetch(`/compress?${new URLSearchParams({ type, quality: String(quality) })}`, {
      method: "POST",
      headers: { "Content-Type": type },
      body: image,
      signal: AbortSignal.timeout(COMPRESS_TIMEOUT_MS),
    });
    if (answer.ok) return toProcessedImage(answer, image.length);
    await answer.body?.cancel();
    if (answer.status === 422) return undefined;
    throw new Error(`The media processor answered ${answer.status}`);
  }

  /**
   * The thumbnail of a video.
   * @param source a URL that the processor may read by ranges
   * @throws ThumbnailTimeout where the time was up
   * @throws Error where the processor or the source cannot be reached, is busy or failed: it may work later
   */
  async thumbnail(source: string, type: string): Promise<Thumbnail> {
    const answer = await this.#fetch("/thumbnail", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ source, type, ...THUMBNAIL }),
      signal: AbortSignal.timeout(THUMBNAIL_TIMEOUT_MS),
    });
    return readThumbnailAnswer(answer);
  }
}

/** @throws Error where the answer is not a smaller image */
function toProcessedImage({ headers, body }: Response, originalBytes: number): ProcessedImage {
  const sizeBytes = Number(headers.get("Content-Length"));
  const type = MEDIA_TYPES.find((known) => known === headers.get("Content-Type") && known.startsWith("image/"));
  if (body === null || type === undefined || !(sizeBytes > 0 && sizeBytes < originalBytes)) {
    throw new Error("The media processor's answer is not an image that is smaller");
  }
  return { type, sizeBytes, body };
}
