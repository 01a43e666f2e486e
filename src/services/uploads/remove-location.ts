import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { isVideo } from "../../domain/media-types.ts";
import { storedKey } from "../../domain/object-key.ts";
import type { AccountContext } from "../context.ts";
import type { Upload } from "../records.ts";
import { SourceBody } from "./receive/source-body.ts";
import { RETRY_AFTER_SECONDS } from "./receive/upload-memory.ts";
import { commitReplacement, findReplaceable, toContent } from "./replace-content.ts";
import type { StoredFile } from "./store/identify-file.ts";
import { receiveReplacement } from "./upload-files.ts";

/**
 * Removes the place and the other private metadata (META-2, `private`) from an active upload (TAKEN-4). The stored bytes without them replace
 * the stored bytes (REPL-1). A file that has none of them stays as it is.
 * @returns the upload with its new bytes, or unchanged
 * @throws ServiceError 403, 404 for the upload, 409 if it is in the trash, 451 if it is taken down; 503 if other bytes replace it at the same
 * time; and the errors of an upload
 */
export async function removeLocation(account: AccountContext, uploadId: string): Promise<Upload> {
  const former = await findReplaceable(account, uploadId);
  const object = await account.files.get(storedKey(former));
  // Another request has replaced the bytes or changed the visibility since.
  if (object === null) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  account.replaces = former;
  const raw = new SourceBody(object.body, object.size, object.size);
  const body = { raw, filename: "", options: { compress: "false" }, scrub: "private" } as const;
  try {
    return await receiveReplacement(account, body, async (run, file) => {
      const isUnchanged = file.uploadedSha256 === null;
      if (isUnchanged) {
        await run.open.rollBack();
        return former;
      }
      const content = withOtherFacts(former, file);
      const { id, objectKey } = former;
      return commitReplacement(run, { uploadId: id, replacementId: file.uploadId, content, onlyFrom: objectKey });
    });
  } catch (error) {
    throw isReadFailure(error) ? ERRORS.Unavailable(RETRY_AFTER_SECONDS) : error;
  }
}

/**
 * The new bytes have their own key, size, hashes and place. The upload keeps its other facts, because an earlier compression may have removed
 * them from the bytes.
 */
function withOtherFacts(former: Upload, file: StoredFile) {
  const { originalSizeBytes, compressionQuality, width, height, takenAt, camera, lens, exposure, placeholder } = former;
  return {
    ...toContent(former, file),
    originalSizeBytes,
    compressionQuality,
    width,
    height,
    takenAt,
    camera,
    lens,
    exposure,
    // A video gets its thumbnail again, and the placeholder with it.
    ...(isVideo(former.mimeType) ? {} : { placeholder }),
  };
}

/** Whether R2 sent the stored bytes incompletely or too slowly, for which an upload blames its client. */
function isReadFailure(error: unknown): boolean {
  return error instanceof ServiceError && ["malformed_multipart", "upload_stalled"].includes(error.code);
}
