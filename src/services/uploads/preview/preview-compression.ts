import { previewSeconds } from "../../../domain/allowance.ts";
import { ERRORS } from "../../../domain/errors.ts";
import { toLogLine } from "../../../domain/log-line.ts";
import { MEDIA_TYPES, type MediaType } from "../../../domain/media-types.ts";
import { likelyKeys } from "../../../domain/object-key.ts";
import { Lines } from "../../../isolate/lines.ts";
import { describeUnsupported } from "../../../media/describe-unsupported.ts";
import { readHead, sniffMediaType } from "../../../media/first-bytes.ts";
import type { MultipartReader } from "../../../multipart/read-multipart.ts";
import { type ImageToCompress, isCompressible, MAX_COMPRESSIBLE_BYTES } from "../../../processor/compression.ts";
import type { AccountContext } from "../../context.ts";
import { getOwnUpload } from "../../images/get-own-upload.ts";
import type { HeldPart } from "../receive/incoming-file.ts";
import { openPieces } from "../store/write-to-r2.ts";
import { startHeartbeat, toServiceError, UploadRun } from "../upload-run.ts";
import { type PreviewForm, receivePreviewForm } from "./receive-preview-form.ts";

/** One preview of an account at a time in an isolate. */
const turns = new Lines({ maxWaiting: 0, maxWaitMs: 0 });
const RETRY_AFTER_SECONDS = 2;
/**
 * The share of the isolate's memory that an account may hold for a preview, which holds a whole image, unlike uploads.
 */
const MEMORY_SHARE = 2 / 3;

interface CompressionPreview {
  readonly type: MediaType;
  readonly sizeBytes: number;
  readonly originalBytes: number;
  /** Must be read to its end or cancelled. */
  readonly body: ReadableStream<Uint8Array>;
}

/** An image to compress, without the quality. */
type Wanted = Omit<ImageToCompress, "quality"> & {
  /** 0 if its header does not say. */
  readonly pixels: number;
};

/**
 * An image as it would be stored at a quality: a form's file, or an image of the account. Nothing is stored or counted. An image that would
 * not get smaller is returned unchanged.
 * @param readQuality parses the form's quality, and throws a ServiceError if it is invalid
 * @throws ServiceError 400, 403, 404, 408, 413, 415; 429 while another preview is in progress, 503
 */
export async function previewCompression(
  account: AccountContext,
  form: MultipartReader,
  readQuality: (text: string | undefined) => number,
): Promise<CompressionPreview> {
  const turn = await turns.take(account.accountId);
  if (turn === undefined) {
    await form.refuse();
    throw ERRORS.PreviewInProgress(RETRY_AFTER_SECONDS);
  }
  const held: HeldPart[] = [];
  const compression = account.processor.openCompression();
  const end = () => {
    for (const part of held.splice(0)) part.release({ wasStored: false });
    compression[Symbol.dispose]();
    turn.release();
  };
  try {
    const received = await receive(account, form, held);
    const quality = readQuality(received.quality);
    const { pixels, ...found } = await findImage(account, received);
    await takeTime(account, pixels);
    const image = { ...found, quality };
    const result = await compression.compress(image).catch((error: unknown) => {
      console.error(toLogLine("preview.not-compressed", { type: image.type, sizeBytes: image.sizeBytes }, error));
      throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    });
    const shown = result ?? { type: image.type, sizeBytes: image.sizeBytes, body: await image.open() };
    return { ...shown, originalBytes: image.sizeBytes, body: endingWith(shown.body, end) };
  } catch (error) {
    end();
    throw error;
  }
}

/** Takes the image's CPU time from the day's limit before any work on its pixels begins (COMP-7). @throws ServiceError 429 */
async function takeTime({ meter }: AccountContext, pixels: number): Promise<void> {
  const waitSeconds = await meter.takePreview(previewSeconds(pixels));
  if (waitSeconds !== undefined) throw ERRORS.PreviewTimeExhausted(waitSeconds);
}

async function receive(account: AccountContext, form: MultipartReader, held: HeldPart[]): Promise<PreviewForm> {
  using run = new UploadRun(account, form, MEMORY_SHARE);
  const heartbeat = startHeartbeat(run);
  try {
    await run.memory.openWindow();
    return await receivePreviewForm(run, form, held);
  } catch (error) {
    await form.refuse();
    throw heartbeat.verdict ?? toServiceError(error);
  } finally {
    heartbeat.stop();
  }
}

async function findImage(account: AccountContext, { id, file }: PreviewForm): Promise<Wanted> {
  if (file !== undefined && id !== undefined) throw ERRORS.InvalidRequest({ id: "Not allowed with `file`" });
  if (file !== undefined) return openHeld(file);
  if (id === undefined) throw ERRORS.InvalidRequest({ file: "`file` or `id` is required" });
  return openStored(account, id);
}

function openHeld(parts: readonly HeldPart[]): Wanted {
  const head = parts[0]?.head ?? new Uint8Array();
  const type = sniffMediaType(head);
  if (type === undefined) throw ERRORS.UnsupportedType(describeUnsupported(head));
  requireImage(type);
  const sizeBytes = parts.reduce((sum, { length }) => sum + length, 0);
  const { width, height } = readHead(type, head, parts.length === 1 && head.length === parts[0]?.length);
  return { type, sizeBytes, pixels: width * height, open: async () => openPieces(parts) };
}

async function openStored(account: AccountContext, id: string): Promise<Wanted> {
  const upload = await getOwnUpload(account, id, ERRORS.ForeignImage);
  const { mimeType, sizeBytes, width, height } = upload;
  const type = MEDIA_TYPES.find((known) => known === mimeType);
  if (type === undefined) throw ERRORS.ImageNotFound();
  requireImage(type);
  if (sizeBytes > MAX_COMPRESSIBLE_BYTES) throw ERRORS.BodyTooLarge(MAX_COMPRESSIBLE_BYTES);
  const open = async () => {
    for (const key of likelyKeys(upload.objectKey, upload.visibility)) {
      const object = await account.files.get(key);
      if (object !== null) return object.body;
    }
    throw ERRORS.ImageNotFound();
  };
  return { type, sizeBytes, pixels: width * height, open };
}

function requireImage(type: MediaType): void {
  if (!isCompressible(type)) throw ERRORS.InvalidFile("Videos are not compressed");
}

/** The same stream; `end` is called once, after the bytes have ended, failed or were cancelled. */
function endingWith(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        throw error;
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
