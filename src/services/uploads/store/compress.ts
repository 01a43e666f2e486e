import { toLogLine } from "../../../domain/log-line.ts";
import { storedKey } from "../../../domain/object-key.ts";
import { retryR2 } from "../../../isolate/calls.ts";
import { readFarFacts } from "../../../meter/resumable/read-far-facts.ts";
import type { CompressedImage, ImageToCompress, KeptReason } from "../../../processor/compression.ts";
import type { AccountContext } from "../../context.ts";
import { count } from "../../metrics/counts.ts";
import type { UploadRun } from "../upload-run.ts";
import type { IdentifiedFile, StoredFile } from "./identify-file.ts";
import type { StreamedFile } from "./store-stream.ts";
import { type FileToPut, putStream } from "./write-to-r2.ts";

/**
 * Compresses an image. The result must be read or cancelled.
 * @returns undefined if the original is stored, also because compression failed: no upload fails because of it (COMP-6)
 */
export async function compress(run: UploadRun, image: ImageToCompress): Promise<CompressedImage | undefined> {
  try {
    const result = await run.compression.compress(image);
    if (result === undefined || result.sizeBytes < image.sizeBytes) return result;
    await result.body.cancel();
    count("media_images_kept_total", { reason: "nothing-to-save" satisfies KeptReason });
  } catch (error) {
    const { type, sizeBytes } = image;
    console.error(toLogLine("image.not-compressed", { accountId: run.account.accountId, type, sizeBytes }, error));
    count("media_images_kept_total", { reason: "failed" satisfies KeptReason });
  }
  return undefined;
}

/**
 * Puts a compressed image into R2. It can be read only once, so after a transient failure the image is compressed
 * again, with the same bytes as the result.
 * @returns the SHA-256 of the stored bytes, hexadecimal
 * @throws Error if R2 or the second compression fails
 */
export async function putCompressed(
  run: UploadRun,
  file: FileToPut,
  image: ImageToCompress,
  result: CompressedImage,
): Promise<string> {
  let unread: CompressedImage | undefined = result;
  return retryR2(async () => {
    const next = unread ?? (await compressAgain(run, image, result));
    unread = undefined;
    return putStream(run.account, file, next);
  });
}

async function compressAgain(run: UploadRun, image: ImageToCompress, first: CompressedImage): Promise<CompressedImage> {
  const again = await compress(run, image);
  if (again !== undefined && again.sizeBytes === first.sizeBytes && again.type === first.type) return again;
  await again?.body.cancel();
  throw new Error("The image could not be compressed again");
}

/**
 * Compresses an image in R2 and writes the result back, without holding it in memory. If compression fails, the image stays as uploaded.
 * The stored size is checked against the account's storage afterwards.
 * @throws ServiceError 413, 503, with nothing left; Error if it is unknown which of the two files R2 has
 */
export async function compressStored(
  run: UploadRun,
  { stored, reservation, target }: StreamedFile,
): Promise<StoredFile> {
  if (target === undefined) return withFarFacts(run.account, stored);
  const { mimeType, sizeBytes } = stored;
  const open = async () => {
    const object = await run.account.files.get(storedKey(stored));
    if (object?.size === sizeBytes) return object.body;
    // A put whose answer was lost may have replaced the file.
    await object?.body.cancel();
    throw new Error("The uploaded image is missing or changed");
  };
  const image = { type: mimeType, quality: target.quality, sizeBytes, open, wantsPlaceholder: true };
  const result = await compress(run, image);
  const placeholder = result?.placeholder;
  const replacement = result && (await replace(run, { stored, image, target: target.file }, result));
  const final =
    result === undefined || replacement === undefined
      ? { ...stored, placeholder }
      : {
          ...stored,
          ...target.file,
          sizeBytes: result.sizeBytes,
          compressionQuality: target.quality,
          location: null,
          placeholder,
          sha256: replacement.sha256,
          uploadedSha256: stored.uploadedSha256 ?? stored.sha256,
        };
  try {
    await reservation.fitTo(final.sizeBytes);
  } catch (error) {
    await run.open.undo(stored.uploadId);
    throw error;
  }
  return final;
}

interface Replacement {
  readonly stored: StoredFile;
  /** The stored file as input of the compression. */
  readonly image: ImageToCompress;
  readonly target: IdentifiedFile;
}

/** @returns the hash of the compressed image, null if it is unknown; undefined if the upload is not the compressed image */
async function replace(
  run: UploadRun,
  { stored, image, target }: Replacement,
  result: CompressedImage,
): Promise<Pick<StoredFile, "sha256"> | undefined> {
  if (result.type !== target.mimeType) {
    await result.body.cancel();
    return undefined;
  }
  let sha256: string;
  try {
    sha256 = await putCompressed(run, target, image, result);
  } catch (error) {
    console.error(toLogLine("image.not-replaced", { uploadId: stored.uploadId }, error));
    return (await wasReplaced(run, stored, target, result.sizeBytes)) ? { sha256: null } : undefined;
  }
  // If this fails, the whole upload is undone: the intent knows both keys.
  if (target.objectKey !== stored.objectKey) await run.account.files.delete(storedKey(stored));
  return { sha256 };
}

/** Whether R2 has the result of a put that failed. */
async function wasReplaced(
  { account: { files } }: UploadRun,
  stored: StoredFile,
  target: IdentifiedFile,
  sizeBytes: number,
): Promise<boolean> {
  if (target.objectKey !== stored.objectKey) {
    await files.delete(storedKey(target));
    return false;
  }
  const object = await files.head(storedKey(stored));
  if (object === null) throw new Error("The uploaded image is gone");
  return object.size === sizeBytes;
}

/** Adds the facts of a stored film that are behind its first part. No upload fails for want of them. */
async function withFarFacts({ files }: AccountContext, { farBoxAt, ...stored }: StoredFile): Promise<StoredFile> {
  if (farBoxAt === undefined) return stored;
  const { uploadId, sizeBytes } = stored;
  try {
    return { ...stored, ...(await readFarFacts(files, { key: storedKey(stored), farBoxAt, sizeBytes })) };
  } catch (error) {
    console.error(toLogLine("upload.facts-not-read", { uploadId }, error));
    return stored;
  }
}
