import { DAY_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { parseObjectKey, previewedKey, previewKey, previewPath } from "../../domain/object-key.ts";
import { verifyPreview } from "../../domain/preview-token.ts";
import type { PreviewAnswer } from "../../processor/media-processor.ts";
import { StoredImage } from "../../processor/stored-image.ts";
import type { Services } from "../context.ts";

/** A preview may need the memory that others have at the moment. */
const RETRY_AFTER_SECONDS = 2;
const WEBP = "image/webp";
/** In R2, of a picture that nobody can show: a preview without a byte. */
const NO_PREVIEW = new Uint8Array();
/** After so long it is tried once more, as codecs get better. */
const NO_PREVIEW_MS = 30 * DAY_MS;

export interface WantedPreview {
  readonly accountId: string;
  /** `<upload>-<name>`, as the file's key ends. */
  readonly file: string;
  /** Undefined where there is none. */
  readonly token: string | undefined;
}

type PreviewServices = Pick<Services, "files" | "processor" | "config" | "now" | "waitUntil">;

/**
 * An image's preview, a WebP. It is made when it is first asked for and kept in R2 beside the file, with which it is deleted. Only R2 is
 * asked: no account, no database; it is no view, no operation, and not counted as storage.
 * @returns undefined where there is none: the file is gone, or it cannot be made
 * @throws ServiceError 403 for a bad token, 503 where it cannot be made now
 */
export async function getPreview(
  services: PreviewServices,
  wanted: WantedPreview,
): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | undefined> {
  const { accountId } = wanted;
  const { fileKey, uploadId } = await requireToken(services, wanted);
  const key = previewKey(accountId, uploadId);
  const kept = await services.files.get(key);
  if (kept !== null && kept.size > 0) return kept.body;
  if (kept !== null && services.now() - kept.uploaded.getTime() < NO_PREVIEW_MS) return undefined;
  const answer = await makeOf(services, fileKey).catch((error: unknown) => {
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
      // Not for good: another media processor may be able to.
      return undefined;
    case "busy":
      throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }
}

/** @returns whose preview is wanted @throws ServiceError 403 */
async function requireToken(
  { config, now }: Pick<Services, "config" | "now">,
  { accountId, file, token }: WantedPreview,
): Promise<{ readonly fileKey: string; readonly uploadId: string }> {
  const fileKey = previewedKey(accountId, file);
  const parts = parseObjectKey(fileKey);
  const isSigned =
    token !== undefined &&
    parts?.kind === "file" &&
    (await verifyPreview(config.previewSecret, previewPath(fileKey), token, now() / 1000));
  if (!isSigned) throw ERRORS.InvalidPreviewToken();
  return { fileKey, uploadId: parts.uploadId };
}

/** @returns undefined where there is no such image @throws Error where it may work later */
async function makeOf(
  { files, processor }: Pick<Services, "files" | "processor">,
  fileKey: string,
): Promise<PreviewAnswer | undefined> {
  const image = await StoredImage.find(files, fileKey);
  return image && processor.preview(image);
}

/** A file that was deleted meanwhile has no preview: a deletion removes both, so what comes behind it looks for the file once more. */
async function keep(
  { files }: Pick<Services, "files">,
  { key, fileKey, bytes }: { readonly key: string; readonly fileKey: string; readonly bytes: Uint8Array<ArrayBuffer> },
): Promise<void> {
  try {
    await files.put(key, bytes, { httpMetadata: { contentType: WEBP } });
    if ((await files.head(fileKey)) === null) await files.delete(key);
  } catch (error) {
    // It was answered, and is made again when it is asked for.
    console.error(toLogLine("preview.not-kept", {}, error));
  }
}
