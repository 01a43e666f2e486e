import { DAY_MS } from "../../domain/calendar.ts";
import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { everyKey, parseObjectKey, previewedKey, previewKey, previewPath } from "../../domain/object-key.ts";
import { verifyPreview } from "../../domain/preview-token.ts";
import { isTakenDown } from "../../domain/takedown.ts";
import type { PreviewAnswer } from "../../processor/media-processor.ts";
import { StoredImage } from "../../processor/source-image.ts";
import type { Services } from "../context.ts";

/** A preview may have to wait for memory that other requests hold. */
const RETRY_AFTER_SECONDS = 2;
const WEBP = "image/webp";
/** An empty object in R2 marks an image that cannot be decoded. */
const NO_PREVIEW = new Uint8Array();
/** The image is tried again after this time, because codecs improve. */
const NO_PREVIEW_MS = 30 * DAY_MS;

export interface WantedPreview {
  readonly accountId: string;
  /** `<upload>-<name>`, the end of the file's key. */
  readonly file: string;
  /** The token in the URL's query; undefined if the URL has no token. */
  readonly token: string | undefined;
}

type PreviewServices = Pick<Services, "files" | "processor" | "config" | "now" | "waitUntil" | "previewReads">;

/**
 * An image's preview, a WebP. It is made on first use and stored in R2, and deleted with the file. Only R2 is used, no account and no
 * database. A preview does not count as a view, an operation or storage. The reads of one file's preview are limited (FILE-10) by
 * a counter of the platform, which is near the isolate and approximate; if it fails, the preview is read.
 * @returns undefined if the file is gone or a preview is impossible; `limited` if it is read too often
 * @throws ServiceError 403 for a bad token, 451 if the file was taken down, 503 if it cannot be made now
 */
export async function getPreview(
  services: PreviewServices,
  wanted: WantedPreview,
): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | "limited" | undefined> {
  const { accountId } = wanted;
  const { fileKey, uploadId, version } = await requireToken(services, wanted);
  const { success } = await services.previewReads.limit({ key: uploadId }).catch(() => ({ success: true }));
  if (!success) return "limited";
  const key = previewKey(accountId, version);
  const kept = await services.files.get(key);
  if (kept !== null && kept.size > 0) return kept.body;
  if (kept !== null && services.now() - kept.uploaded.getTime() < NO_PREVIEW_MS) return undefined;
  const answer = await makeOf(services, fileKey).catch((error: unknown) => {
    if (error instanceof ServiceError) throw error;
    console.error(toLogLine("preview.failed", { accountId, uploadId }, error));
    throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  });
  if (answer === undefined) return undefined;
  switch (answer.outcome) {
    case "made":
      services.waitUntil(keep(services, { key, fileKey, bytes: answer.webp }));
      return answer.webp;
    case "impossible":
      services.waitUntil(keep(services, { key, fileKey, bytes: NO_PREVIEW }));
      return undefined;
    case "too-large":
      // A failure is not recorded, because another media processor may succeed.
      return undefined;
    case "busy":
      throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }
}

/**
 * @returns the file of the preview
 * @throws ServiceError 403
 */
async function requireToken(
  { config, now }: Pick<Services, "config" | "now">,
  { accountId, file, token }: WantedPreview,
): Promise<{ readonly fileKey: string; readonly uploadId: string; readonly version: string }> {
  const fileKey = previewedKey(accountId, file);
  const parts = parseObjectKey(fileKey);
  const isSigned =
    token !== undefined &&
    parts?.kind === "file" &&
    (await verifyPreview(config.previewSecret, previewPath(fileKey), token, now() / 1000));
  if (!isSigned) throw ERRORS.InvalidPreviewToken();
  return { fileKey, uploadId: parts.uploadId, version: parts.version };
}

/**
 * @returns undefined if the image does not exist
 * @throws Error if a retry may succeed
 */
async function makeOf(
  { files, processor }: Pick<Services, "files" | "processor">,
  fileKey: string,
): Promise<PreviewAnswer | undefined> {
  for (const key of everyKey(fileKey)) {
    const image = await StoredImage.find(files, key);
    if (image !== undefined) return processor.preview(image);
  }
  return undefined;
}

/**
 * A deletion or takedown removes file and preview. The file is checked again after the write, so that a preview written
 * afterwards does not stay.
 */
async function keep(
  { files }: Pick<Services, "files">,
  { key, fileKey, bytes }: { readonly key: string; readonly fileKey: string; readonly bytes: Uint8Array<ArrayBuffer> },
): Promise<void> {
  try {
    await files.put(key, bytes, { httpMetadata: { contentType: WEBP } });
    const found = await Promise.all(everyKey(fileKey).map((each) => files.head(each)));
    if (!found.some((file) => file !== null && !isTakenDown(file))) await files.delete(key);
  } catch (error) {
    // The preview was answered, and is made again at its next use.
    console.error(toLogLine("preview.not-kept", {}, error));
  }
}
