import type { PreviewAnswer } from "../codecs/preview/make-preview.ts";
import { MEDIA_TYPES } from "../domain/media-types.ts";
import { objectUrl } from "../domain/object-key.ts";
import { PREVIEW_PARAMETER } from "../domain/preview-token.ts";
import type { CompressedImage, ImageToCompress, KeptReason } from "./compression.ts";
import { type CodecsBinding, CompressionSession } from "./compression-session.ts";
import { readPreviewAnswer } from "./preview-answer.ts";
import { openExactly, type SourceImage } from "./source-image.ts";
import { readThumbnailAnswer, type Thumbnail } from "./thumbnail-answer.ts";

export type { PreviewAnswer };

/** Longer than the largest image takes; an upload's client and its reservation are waiting. */
const COMPRESS_TIMEOUT_MS = 60_000;

export interface VideoSource {
  readonly objectKey: string;
  readonly token: string;
  /** The MIME type. */
  readonly type: string;
}

/** Specification, Compression and thumbnails. */
const THUMBNAIL = { width: 640, quality: 80 };
const THUMBNAIL_TIMEOUT_MS = 60_000;
/** As `codecs/preview/` makes them. */
const PREVIEW = { shortEdge: "256", longEdge: "1024", quality: "70" };
/** Longer than the largest image takes; a browser waits for its tile. */
const PREVIEW_TIMEOUT_MS = 30_000;

/**
 * Sends a request to the media processor, wherever it runs.
 * @param makeRequest is called again where the first instance that is asked is busy
 */
export type SendToProcessor = (
  path: string,
  makeRequest: () => RequestInit | Promise<RequestInit>,
) => Promise<Response>;

/** Who works on media for the API Worker: the Codec Worker and, for what an isolate cannot do, the Container (`container/`). */
export class MediaProcessor {
  readonly #fetch: SendToProcessor | undefined;
  readonly #sourceOrigin: string;
  readonly #codecs: CodecsBinding;
  readonly #probe: (() => Promise<unknown>) | undefined;

  /**
   * @param send reaches the Container's server; undefined where there is none
   * @param sourceOrigin where that reads stored files; without a slash at the end
   * @param probe asks that for a sign of life, without waking it up
   */
  constructor(
    send: SendToProcessor | undefined,
    sourceOrigin: string,
    codecs: CodecsBinding,
    probe?: () => Promise<unknown>,
  ) {
    this.#fetch = send;
    this.#sourceOrigin = sourceOrigin;
    this.#codecs = codecs;
    this.#probe = probe;
  }

  /** Answers if the Codec Worker does. */
  async pingCodecs(): Promise<void> {
    using _ = await this.#codecs.open();
  }

  /** Answers if what makes thumbnails does, or where this deployment has nobody who does. It is not woken up. */
  async ping(): Promise<void> {
    await this.#probe?.();
  }

  /** One request's compressions. Nothing is opened before its first image. @param noteKept is told why images stay as they are */
  openCompression(noteKept?: (reason: KeptReason) => void): CompressionSession {
    return new CompressionSession(this.#codecs, (image) => this.#compressInContainer(image), noteKept);
  }

  /**
   * An image's preview, made of no more of it than is needed: in the Codec Worker or, where it is too large for an isolate, in the Container.
   * @returns `too-large` where this deployment has no Container
   * @throws Error where it may work later
   */
  async preview(image: SourceImage): Promise<PreviewAnswer> {
    const { type, sizeBytes } = image;
    using answer = await this.#codecs.preview({ type, sizeBytes }, await image.open());
    if (answer.outcome === "made") return { outcome: "made", webp: answer.webp };
    return answer.outcome === "too-large" ? this.#previewInContainer(image) : { ...answer };
  }

  /**
   * The thumbnail of a stored video.
   * @param token lets the processor read the video without counting a view (domain/preview-token.ts)
   * @returns undefined where this deployment has nobody who makes thumbnails
   * @throws ThumbnailTimeout where the time was up
   * @throws Error where the processor or the video cannot be reached, is busy or failed: it may work later
   */
  async thumbnail({ objectKey, token, type }: VideoSource): Promise<Thumbnail | undefined> {
    if (this.#fetch === undefined) return undefined;
    const source = `${objectUrl(this.#sourceOrigin, objectKey)}?${PREVIEW_PARAMETER}=${token}`;
    const answer = await this.#fetch("/thumbnail", () => ({
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ source, type, ...THUMBNAIL }),
      signal: AbortSignal.timeout(THUMBNAIL_TIMEOUT_MS),
    }));
    return readThumbnailAnswer(answer);
  }

  /** The image's bytes pass through, none of them are held. */
  async #previewInContainer(image: SourceImage): Promise<PreviewAnswer> {
    if (this.#fetch === undefined) return { outcome: "too-large" };
    const { type } = image;
    const query = new URLSearchParams({ type, ...PREVIEW });
    const answer = await this.#fetch(`/preview?${query}`, async () => ({
      method: "POST",
      headers: { "Content-Type": type },
      body: await openExactly(image),
      signal: AbortSignal.timeout(PREVIEW_TIMEOUT_MS),
    }));
    return readPreviewAnswer(answer);
  }

  /** The image's bytes pass through, none of them are held. Where there is no Container, the original is kept. */
  async #compressInContainer(image: ImageToCompress): Promise<CompressedImage | undefined> {
    if (this.#fetch === undefined) return undefined;
    const { type, quality, sizeBytes } = image;
    const query = new URLSearchParams({ type, quality: String(quality) });
    const answer = await this.#fetch(`/compress?${query}`, async () => ({
      method: "POST",
      headers: { "Content-Type": type },
      body: await openExactly(image),
      signal: AbortSignal.timeout(COMPRESS_TIMEOUT_MS),
    }));
    if (answer.ok) return toCompressedImage(answer, sizeBytes);
    await answer.body?.cancel();
    if (answer.status === 422) return undefined;
    throw new Error(`The media processor answered ${answer.status}`);
  }
}

/** @throws Error where the answer is not a smaller image */
function toCompressedImage({ headers, body }: Response, originalBytes: number): CompressedImage {
  const sizeBytes = Number(headers.get("Content-Length"));
  const type = MEDIA_TYPES.find((known) => known === headers.get("Content-Type") && known.startsWith("image/"));
  if (body === null || type === undefined || !(sizeBytes > 0 && sizeBytes < originalBytes)) {
    throw new Error("The media processor's answer is not an image that is smaller");
  }
  return { type, sizeBytes, body };
}
