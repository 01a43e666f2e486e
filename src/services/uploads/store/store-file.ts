import { toLogLine } from "../../../domain/log-line.ts";
import { isVideo, type MediaType } from "../../../domain/media-types.ts";
import { PART_BYTES } from "../../../domain/parts.ts";
import type { StoredPlaceholder } from "../../../domain/placeholder.ts";
import type { Visibility } from "../../../domain/visibility.ts";
import { retryR2 } from "../../../isolate/calls.ts";
import { type CompressedImage, type ImageToCompress, isCompressible } from "../../../processor/compression.ts";
import type { SourceImage } from "../../../processor/source-image.ts";
import { refuseBlocked, refuseDuplicate } from "../known-bytes.ts";
import type { HeldPart, IncomingFile } from "../receive/incoming-file.ts";
import type { UploadRun } from "../upload-run.ts";
import { compress, compressStored, putCompressed } from "./compress.ts";
import { type IdentifiedFile, identifyFile, requireAllowedType, type StoredFile, withType } from "./identify-file.ts";
import { requireRoom, reserveStorage } from "./reserve-storage.ts";
import { FileScrub, type FileSha256, sha256Of, toFileSha256 } from "./scrub-and-hash.ts";
import { storeStream } from "./store-stream.ts";
import { openPieces, putObject, toR2Body } from "./write-to-r2.ts";

/** Enough bytes to detect every type. */
export const SNIFFED_BYTES = 64 * 1024;

/** A JPEG's time follows its bytes, because only its coded data is read. Other images' time follows their pixels. */
const QUICK_JPEG_BYTES = 96 * 1024;
const QUICK_PIXELS = 40_000;

interface Storing {
  /** Bytes that it holds in memory until it is stored. */
  readonly heldBytes: number;
  readonly stored: Promise<StoredFile>;
}

/**
 * Puts one file of a request into R2. A file of up to one part is held, compressed if it is an image and the account
 * wants that, and put in one request. An image of up to two parts that will be compressed is held, too, if memory for it is free at once. A
 * larger file streams to R2 in parts; an image is compressed from there afterwards.
 * @returns after the file was read to its end; `stored` continues
 * @throws ServiceError 400, 413, 415, 429, 503, and DuplicateFound, for this file alone, with nothing left of it
 */
export async function storeFile(run: UploadRun, incoming: IncomingFile, visibility: Visibility): Promise<Storing> {
  const part = incoming.openPart();
  let second: HeldPart | undefined;
  let isHandedOver = false;
  try {
    await incoming.fill(part, SNIFFED_BYTES);
    const mimeType = requireAllowedType(run.account, part);
    await incoming.fill(part);
    let isWhole = !(await incoming.more());
    const file = identifyFile(run, incoming.uploadedName, { mimeType, part, isWhole, visibility });
    const quality = qualityFor(run, mimeType);
    if (!isWhole && quality !== null && incoming.remainingBytes <= PART_BYTES) {
      second = incoming.openPart();
      isWhole = await incoming.fillWithoutWaiting(second);
      if (isWhole) part.join(second);
    }
    isHandedOver = true;
    if (isWhole) return { heldBytes: part.length, stored: storeHeld(run, file, part, quality) };
    const streamed = await storeStream(run, { file, first: part, second, incoming, quality });
    return { heldBytes: 0, stored: compressStored(run, streamed) };
  } finally {
    for (const one of isHandedOver ? [] : [part, second]) one?.release({ wasStored: false });
  }
}

/** The quality at which a file of this type is compressed; null if it is stored as uploaded. */
export function qualityFor({ account: { settings }, options }: UploadRun, mimeType: MediaType): number | null {
  const compresses = options.compress ?? settings.autoCompress;
  return compresses && isCompressible(mimeType) ? settings.compressionQuality : null;
}

/**
 * Stores a file that is held in memory, compressed if a quality is given and the result is smaller. It is compressed
 * first, so that the reservation is the stored size. The part is released in any case.
 * @throws ServiceError 413, 415 for blocked bytes, 429; DuplicateFound
 */
export async function storeHeld(
  run: UploadRun,
  file: IdentifiedFile,
  part: HeldPart,
  quality: number | null,
): Promise<StoredFile> {
  let wasStored = false;
  let placing: Promise<StoredPlaceholder | undefined> | undefined;
  try {
    const uploaded = await sha256Of(part);
    await refuseBlocked(run.account, part.length, [uploaded]);
    await refuseDuplicate(run, { sha256: uploaded, visibility: file.visibility });
    const source = { type: file.mimeType, sizeBytes: part.length, open: async () => openPieces([part]) };
    const original = { sizeBytes: part.length, originalSizeBytes: part.length, compressionQuality: null };
    if (quality !== null) await requireRoom(run.account);
    placing = isQuick(file, part.length) ? quickPlaceholder(run, source) : undefined;
    if (quality !== null) {
      const image = { ...source, quality, wantsPlaceholder: placing === undefined };
      const result = await compress(run, image);
      const stored = result && (await storeResult(run, file, { image, uploaded }, result));
      if (stored !== undefined) {
        const placeholder = result?.placeholder ?? (await placing);
        return { ...original, ...stored, compressionQuality: quality, location: null, placeholder };
      }
    }
    // Both before the part's bytes change.
    const [placeholder] = await Promise.all([placing, reserve(run, file, part.length)]);
    const scrub = FileScrub.begin(run, file.mimeType);
    await scrub.scrub(part);
    const hashes = toFileSha256(uploaded, scrub.hasChanged ? await sha256Of(part) : uploaded);
    await retryR2(() => putObject(run.account, { ...file, ...hashes }, toR2Body(part)));
    wasStored = true;
    return { ...file, ...original, ...hashes, placeholder };
  } finally {
    // It reads the part's bytes, also of a file that was refused meanwhile.
    await placing;
    part.release({ wasStored });
  }
}

/** @returns undefined if the result broke off; nothing of it is left */
async function storeResult(
  run: UploadRun,
  original: IdentifiedFile,
  { image, uploaded }: { readonly image: ImageToCompress; readonly uploaded: string },
  result: CompressedImage,
): Promise<(IdentifiedFile & FileSha256 & { readonly sizeBytes: number }) | undefined> {
  const file = withType(run.account.accountId, original, result.type);
  try {
    await reserve(run, file, result.sizeBytes);
  } catch (error) {
    await result.body.cancel(error).catch(() => undefined);
    throw error;
  }
  try {
    const sha256 = await putCompressed(run, { ...file, uploadedSha256: uploaded }, image, result);
    return { ...file, sizeBytes: result.sizeBytes, ...toFileSha256(uploaded, sha256) };
  } catch (error) {
    console.error(toLogLine("image.broke-off", { uploadId: file.uploadId }, error));
    await run.open.undo(file.uploadId);
    return undefined;
  }
}

async function reserve(run: UploadRun, file: IdentifiedFile, sizeBytes: number): Promise<void> {
  const { uploadId, objectKey, visibility } = file;
  const announced = { uploadId, objectKeys: [objectKey], visibility };
  await reserveStorage(run.account, announced, { leastBytes: sizeBytes, mostBytes: sizeBytes });
  run.open.began(announced);
}

/** Whether an image's placeholder takes only a few milliseconds. The queue's consumer makes all other placeholders. */
function isQuick({ mimeType, width, height }: IdentifiedFile, sizeBytes: number): boolean {
  if (isVideo(mimeType)) return false;
  return mimeType === "image/jpeg" ? sizeBytes <= QUICK_JPEG_BYTES : width * height <= QUICK_PIXELS;
}

/**
 * Makes the placeholder of an image that is being uploaded. No upload fails because of it.
 * @returns undefined if it could not be made now
 */
async function quickPlaceholder(run: UploadRun, image: SourceImage): Promise<StoredPlaceholder | undefined> {
  try {
    const answer = await run.compression.placeholder(image);
    if (answer.outcome === "made") return answer.placeholder;
    // A small image that is too much for the Codec Worker is damaged or rare.
    return answer.outcome === "busy" ? undefined : "none";
  } catch (error) {
    const { type, sizeBytes } = image;
    console.error(toLogLine("placeholder.not-made", { accountId: run.account.accountId, type, sizeBytes }, error));
    return undefined;
  }
}
