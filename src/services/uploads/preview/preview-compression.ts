import { ERRORS } from "../../../domain/errors.ts";
import { toLogLine } from "../../../domain/log-line.ts";
import { MEDIA_TYPES, type MediaType } from "../../../domain/media-types.ts";
import { Lines } from "../../../isolate/lines.ts";
import { describeUnsupported } from "../../../media/describe-unsupported.ts";
import { sniffMediaType } from "../../../media/sniff.ts";
import type { MultipartReader } from "../../../multipart/read-multipart.ts";
import { type ImageToCompress, isCompressible, MAX_COMPRESSIBLE_BYTES } from "../../../processor/compression.ts";
import type { AccountContext } from "../../context.ts";
import { getOwnUpload } from "../../images/get-own-upload.ts";
import { startHeartbeat } from "../receive/heartbeat.ts";
import type { HeldPart } from "../receive/held-part.ts";
import { toServiceError } from "../run-upload.ts";
import { openPieces } from "../store/put-object.ts";
import { UploadRun } from "../upload-run.ts";
import { endingWith } from "./ending-with.ts";
import { type PreviewForm, receivePreviewForm } from "./receive-preview-form.ts";

/** Of one account, in one isolate: a person looks at one picture. */
const turns = new Lines({ maxWaiting: 0, maxWaitMs: 0 });
const RETRY_AFTER_SECONDS = 2;

export interface CompressionPreview {
  readonly type: MediaType;
  readonly sizeBytes: number;
  readonly originalBytes: number;
  /** To be read to its end or cancelled. */
  readonly body: ReadableStream<Uint8Array>;
}

/** What is to be compressed, and how well. */
type Wanted = Omit<ImageToCompress, "quality">;

/**
 * An image as it would be stored at a quality: one that a form brings, or one of the account's. Nothing is stored and nothing is counted.
 * What would not get smaller comes as it is.
 * @param readQuality makes a quality of the form's text; it throws a ServiceError where it is none
 * @throws ServiceError 400, 403, 404, 408, 413, 415; 429 while another one is under way, 503
 */
export async function previewCompression(
  account: AccountContext,
  form: MultipartReader,
  readQuality: (text: string | undefined) => number,
): Promise<CompressionPreview> {
  const turn = await turns.take(account.accountId);
  if (turn === undefined) {
    await form.refuse();
    throw ERRORS.PreviewUnderWay(RETRY_AFTER_SECONDS);
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
    const image = { ...(await findImage(account, received)), quality };
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

async function receive(account: AccountContext, form: MultipartReader, held: HeldPart[]): Promise<PreviewForm> {
  using run = new UploadRun(account, form);
  const heartbeat = startHeartbeat(run);
  try {
    return await receivePreviewForm(run, form, held);
  } catch (error) {
    await form.refuse();
    throw heartbeat.verdict ?? toServiceError(error);
  } finally {
    heartbeat.stop();
  }
}

async function findImage(account: AccountContext, { id, file }: PreviewForm): Promise<Wanted> {
  if (file !== undefined && id !== undefined) throw ERRORS.InvalidRequest({ id: "Goes without `file`" });
  if (file !== undefined) return openHeld(file);
  if (id === undefined) throw ERRORS.InvalidRequest({ file: "Is missing; or give the `id` of an image" });
  return openStored(account, id);
}

function openHeld(parts: readonly HeldPart[]): Wanted {
  const head = parts[0]?.head ?? new Uint8Array();
  const type = sniffMediaType(head);
  if (type === undefined) throw ERRORS.UnsupportedType(describeUnsupported(head));
  requireImage(type);
  const sizeBytes = parts.reduce((sum, { length }) => sum + length, 0);
  return { type, sizeBytes, open: async () => openPieces(parts) };
}

async function openStored(account: AccountContext, id: string): Promise<Wanted> {
  const { objectKey, mimeType, sizeBytes } = await getOwnUpload(account, id, ERRORS.ForeignImage);
  const type = MEDIA_TYPES.find((known) => known === mimeType);
  if (type === undefined) throw ERRORS.ImageNotFound();
  requireImage(type);
  if (sizeBytes > MAX_COMPRESSIBLE_BYTES) throw ERRORS.BodyTooLarge(MAX_COMPRESSIBLE_BYTES);
  const open = async () => {
    const object = await account.files.get(objectKey);
    if (object === null) throw ERRORS.ImageNotFound();
    return object.body;
  };
  return { type, sizeBytes, open };
}

function requireImage(type: MediaType): void {
  if (!isCompressible(type)) throw ERRORS.InvalidFile("Videos are not compressed");
}
