import type { PlaceholderAnswer } from "../codecs/make-placeholder.ts";
import type { PreviewAnswer } from "../codecs/make-preview.ts";
import { MEDIA_TYPES, type MediaType } from "../domain/media-types.ts";
import { objectUrl } from "../domain/object-key.ts";
import { PREVIEW_PARAMETER } from "../domain/preview-token.ts";
import { MAX_VARIANT_BYTES } from "../domain/variants/grid.ts";
import { FORMAT_TYPES, type Variant } from "../domain/variants/variant.ts";
import type { CompressedImage, ImageToCompress, KeptReason } from "./compression.ts";
import { type CodecsBinding, CompressionSession, openExactly } from "./compression-session.ts";
import { readAtMost, readReason } from "./read-answer.ts";
import { type SourceImage, streamBytes } from "./source-image.ts";
import { SOURCE_ORIGIN } from "./source-origin.ts";
import { readThumbnailAnswer, type Thumbnail } from "./thumbnail-answer.ts";

export type { PlaceholderAnswer, PreviewAnswer };

/** Longer than the largest image takes. An upload's client and its reservation wait for it. */
const COMPRESS_TIMEOUT_MS = 60_000;

export interface VideoSource {
  readonly objectKey: string;
  readonly token: string;
  /** The MIME type. */
  readonly type: string;
}

/** THUMB-2. */
const THUMBNAIL = { width: 640, quality: 80 };
/** A frame from which variants are made. */
const POSTER = { width: 1920, quality: 90 };
const THUMBNAIL_TIMEOUT_MS = 60_000;
/** The same values as in `codecs/picture/`. */
const PREVIEW = { shortEdge: "256", longEdge: "1024", quality: "70" };
/** Longer than the largest image takes. A browser waits for its tile. */
const PREVIEW_TIMEOUT_MS = 30_000;

/** Longer than the largest animation takes. */
const VARIANT_TIMEOUT_MS = 60_000;

/** A variant as the media processor answers. The caller reads the body to its end or cancels it. */
export interface MadeVariant {
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Whether the image is an animation, of which this is the first frame. */
  readonly isFirstFrame: boolean;
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * Sends a request to the media processor.
 * @param makeRequest is called again if the first instance is busy
 */
export type SendToProcessor = (
  path: string,
  makeRequest: () => RequestInit | Promise<RequestInit>,
) => Promise<Response>;

/** Media work for the API Worker, done by the Codec Worker or, if an isolate is too small, by the Container (`container/`). */
export class MediaProcessor {
  readonly #fetch: SendToProcessor | undefined;
  readonly #sourceOrigin: string;
  readonly #codecs: CodecsBinding;
  readonly #probe: (() => Promise<string | undefined>) | undefined;

  /**
   * @param send reaches the Container's server; undefined if there is none
   * @param sourceOrigin the address at which that server reads stored files, without a slash at the end
   * @param probe checks that the server is alive, without waking it up, and returns its version of ffmpeg
   */
  constructor(
    send: SendToProcessor | undefined,
    sourceOrigin: string,
    codecs: CodecsBinding,
    probe?: () => Promise<string | undefined>,
  ) {
    this.#fetch = send;
    this.#sourceOrigin = sourceOrigin;
    this.#codecs = codecs;
    this.#probe = probe;
  }

  /** Resolves if the Codec Worker answers. */
  async pingCodecs(): Promise<void> {
    using _ = await this.#codecs.open();
  }

  /**
   * Resolves if the media processor is alive or this deployment has none. It does not start the Container.
   * @returns its version of ffmpeg, as far as it is known
   */
  async ping(): Promise<string | undefined> {
    return this.#probe?.();
  }

  /** Opens one request's compressions. @param noteKept is called with the reason when an image stays as it is */
  openCompression(noteKept?: (reason: KeptReason) => void): CompressionSession {
    return new CompressionSession(this.#codecs, (image) => this.#compressInContainer(image), noteKept);
  }

  /**
   * Makes an image's preview in the Codec Worker, or in the Container if the image is too large for an isolate. It reads only the needed
   * part of the image.
   * @returns `too-large` if it needs a Container and this deployment has none
   * @throws Error if a later try may work
   */
  async preview(image: SourceImage): Promise<PreviewAnswer> {
    const { type, sizeBytes } = image;
    using answer = await this.#codecs.preview({ type, sizeBytes }, await image.open());
    if (answer.outcome === "made") return { outcome: "made", webp: answer.webp };
    return answer.outcome === "too-large" ? this.#previewInContainer(image) : { ...answer };
  }

  /**
   * Makes an image's placeholder in the Codec Worker. If the image is too large for an isolate, it is made of the Container's preview.
   * @returns `too-large` if it needs a Container and this deployment has none
   * @throws Error if a later try may work
   */
  async placeholder(image: SourceImage): Promise<PlaceholderAnswer> {
    const { type, sizeBytes } = image;
    const answer = await this.#codecs.placeholder({ type, sizeBytes, mayWait: true }, await image.open());
    if (answer.outcome !== "too-large") return answer;
    const preview = await this.#previewInContainer(image);
    return preview.outcome === "made" ? this.placeholderOf("image/webp", preview.webp) : preview;
  }

  /**
   * Makes the placeholder of a small picture in memory.
   * @throws Error if a later try may work
   */
  async placeholderOf(type: MediaType, bytes: Uint8Array<ArrayBuffer>): Promise<PlaceholderAnswer> {
    return this.#codecs.placeholder({ type, sizeBytes: bytes.length, mayWait: true }, streamBytes(bytes));
  }

  /**
   * Makes the thumbnail of a stored video.
   * @param token lets the processor read the video without counting a view (domain/preview-token.ts)
   * @returns undefined if this deployment has no media processor
   * @throws ThumbnailTimeout if the time was up
   * @throws Error if the processor or the video cannot be reached, is busy or failed: a later try may work
   */
  async thumbnail({ objectKey, token, type }: VideoSource): Promise<Thumbnail | undefined> {
    return this.#takeFrame({ objectKey, token, type }, THUMBNAIL);
  }

  async #takeFrame({ objectKey, token, type }: VideoSource, wanted: object): Promise<Thumbnail | undefined> {
    if (this.#fetch === undefined) return undefined;
    const source = `${objectUrl(this.#sourceOrigin, objectKey)}?${PREVIEW_PARAMETER}=${token}`;
    const answer = await this.#fetch("/thumbnail", () => ({
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ source, type, ...wanted }),
      signal: AbortSignal.timeout(THUMBNAIL_TIMEOUT_MS),
    }));
    return readThumbnailAnswer(answer);
  }

  /**
   * Takes a frame of a stored video: upright, at most 1,920 pixels wide and high. Beyond the video's end it is the last frame.
   * @returns undefined if this deployment has no media processor
   * @throws Error if a later try may work
   */
  async poster({ objectKey, token, type }: VideoSource, atSeconds: number): Promise<Thumbnail | undefined> {
    return this.#takeFrame({ objectKey, token, type }, { ...POSTER, atSeconds });
  }

  /**
   * Makes a variant that is too large for the Codec Worker. The image's bytes and the variant's are streamed, not held.
   * @returns undefined if it cannot be made, takes too long or is too large, or this deployment has no media processor
   * @throws Error if a later try may work
   */
  async variant(image: SourceImage, variant: Variant): Promise<MadeVariant | undefined> {
    if (this.#fetch === undefined) return undefined;
    const { type } = image;
    const query = new URLSearchParams({ type, variant: JSON.stringify(variant) });
    const answer = await this.#fetch(`/variant?${query}`, async () => ({
      method: "POST",
      headers: { "Content-Type": type },
      body: await openExactly(image),
      signal: AbortSignal.timeout(VARIANT_TIMEOUT_MS),
    }));
    if (answer.ok) return toMadeVariant(answer, FORMAT_TYPES[variant.format]);
    const isRefused = answer.status === 413 || answer.status === 422 || (await isTimeout(answer));
    // A body that was read to its end cannot be cancelled.
    await answer.body?.cancel().catch(() => undefined);
    if (isRefused) return undefined;
    throw new Error(`The media processor answered ${answer.status}`);
  }

  /** The image's bytes are streamed, not held. */
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

  /** The image's bytes are streamed, not held. Without a Container the original stays. */
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

/** Whether the processor's time was up. The next attempt would take too long, too. A proxy before a dead processor gives no reason. */
async function isTimeout(answer: Response): Promise<boolean> {
  return answer.status === 504 && (await readReason(answer).catch(() => undefined)) !== undefined;
}

/** @returns undefined if it is too large @throws Error if the answer is not an image of this type */
async function toMadeVariant({ headers, body }: Response, contentType: string): Promise<MadeVariant | undefined> {
  const sizeBytes = Number(headers.get("Content-Length"));
  if (body === null || headers.get("Content-Type") !== contentType || !(sizeBytes > 0))
    throw new Error("The media processor's answer is not the variant");
  if (sizeBytes > MAX_VARIANT_BYTES) {
    await body.cancel();
    return undefined;
  }
  return { contentType, sizeBytes, isFirstFrame: headers.get("Media-Frame") === "first", body };
}

/** @throws Error if the answer is not a smaller image */
function toCompressedImage({ headers, body }: Response, originalBytes: number): CompressedImage {
  const sizeBytes = Number(headers.get("Content-Length"));
  const type = MEDIA_TYPES.find((known) => known === headers.get("Content-Type") && known.startsWith("image/"));
  if (body === null || type === undefined || !(sizeBytes > 0 && sizeBytes < originalBytes)) {
    throw new Error("The media processor's answer is not a smaller image");
  }
  return { type, sizeBytes, body };
}

/** The number of Containers that share the work (`max_instances` in wrangler.toml). */
const INSTANCES = 3;
const BUSY = 503;
/** `MEDIA_PROCESSOR_URL` of a deployment without a media processor (`npm run deploy -- --without-container`). */
const NONE = "none";

/** The bindings that the media processor needs. */
export type ProcessorBindings = Pick<Env, "MEDIA_PROCESSOR_URL" | "MEDIA_SOURCE_URL" | "MEDIA_PROCESSOR" | "CODECS">;

/** Opens this deployment's media processor: a server at an address, none, or the Container. */
export function openProcessor(env: ProcessorBindings): MediaProcessor {
  const { MEDIA_PROCESSOR_URL, MEDIA_SOURCE_URL, MEDIA_PROCESSOR, CODECS } = env;
  if (MEDIA_PROCESSOR_URL === "") {
    // A request would start the Container, and a minute of it would be billed.
    const probe = () => MEDIA_PROCESSOR.getByName("media-processor-0").readFfmpegVersion();
    return new MediaProcessor(sendToContainers(MEDIA_PROCESSOR), SOURCE_ORIGIN, CODECS, probe);
  }
  if (MEDIA_PROCESSOR_URL === NONE) return new MediaProcessor(undefined, SOURCE_ORIGIN, CODECS);
  const send: SendToProcessor = async (path, makeRequest) =>
    fetch(new URL(path, MEDIA_PROCESSOR_URL), await makeRequest());
  return new MediaProcessor(send, MEDIA_SOURCE_URL.replace(/\/$/, ""), CODECS, () => probeServer(MEDIA_PROCESSOR_URL));
}

/** @returns the version of ffmpeg, if there is one @throws Error if it does not answer 200 */
async function probeServer(url: string): Promise<string | undefined> {
  const answer = await fetch(new URL("/health", url));
  if (answer.status === 200) return ((await answer.json()) as { readonly ffmpeg?: string }).ffmpeg;
  await answer.body?.cancel();
  throw new Error(`The media processor answered ${answer.status}`);
}

/** Always tries the same instance first, so that the others can sleep. It tries the next instance only if this one is busy. */
function sendToContainers(instances: Env["MEDIA_PROCESSOR"]): SendToProcessor {
  return async (path, makeRequest) => {
    const url = new URL(path, "http://container");
    const ask = async (index: number): Promise<Response> => {
      const answer = await instances.getByName(`media-processor-${index}`).fetch(url, await makeRequest());
      if (answer.status !== BUSY || index === INSTANCES - 1) return answer;
      await answer.body?.cancel();
      return ask(index + 1);
    };
    return ask(0);
  };
}

/** The most bytes of a preview. A preview of 1,024 by 256 pixels of noise has far fewer. */
const MAX_PREVIEW_BYTES = 1024 * 1024;

/**
 * Reads the media processor's answer to `POST /preview`: 200 has a preview, 413 and 422 mean that a preview is impossible.
 * @throws Error for any other or inconsistent answer: a later try may work
 */
async function readPreviewAnswer(answer: Response): Promise<PreviewAnswer> {
  try {
    if (answer.status === 200) return { outcome: "made", webp: await readPreview(answer) };
    if (answer.status === 413 || answer.status === 422)
      return { outcome: "impossible", reason: await readReason(answer) };
    throw new Error(`The media processor answered ${answer.status}`);
  } finally {
    // A body that was read to its end cannot be cancelled.
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
