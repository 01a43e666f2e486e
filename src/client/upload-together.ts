import type { Connection } from "./connection.ts";
import { MediaHostError } from "./media-host-error.ts";
import { nameOf } from "./name-of.ts";
import { sendForm } from "./send-form.ts";
import type { UploadBatch, UploadResult } from "./types.ts";
import type { UploadOutcome } from "./upload.ts";
import type { UploadOptions } from "./upload-options.ts";

export type UploadTogetherOptions = Omit<UploadOptions, "name" | "storage" | "resumableFromBytes">;

/**
 * Uploads small files in one request, which counts once for the rate limit.
 * @param files at most 50, together within the limit of one request
 * @returns an outcome for each file, in order
 * @throws MediaHostError if the whole request failed; the signal's reason
 */
export async function uploadTogether(
  connection: Connection,
  files: readonly [Blob, ...Blob[]],
  options: UploadTogetherOptions = {},
): Promise<UploadOutcome[]> {
  try {
    const answer = await sendForm<UploadResult | UploadBatch>(connection, files, options);
    return "url" in answer ? [answer] : align(files, answer);
  } catch (error) {
    const failed = error instanceof MediaHostError ? error.details?.failed : undefined;
    if (Array.isArray(failed)) return align(files, { uploaded: [], failed });
    throw error;
  }
}

/**
 * Matches results to files. Both lists are in the files' order; a stored file has the size that was sent, a failed file its name. A duplicate's
 * result has the older file's name, and the size that was sent is the older file's size before or after compression.
 */
function align(files: readonly Blob[], { uploaded, failed }: Omit<UploadBatch, "type">): UploadOutcome[] {
  let [stored, refused] = [0, 0];
  return files.map((file) => {
    const [result, failure] = [uploaded[stored], failed[refused]];
    const name = nameOf(file);
    const hasSize =
      result?.originalFileSize === file.size || (result?.deduplicated === true && result.fileSize === file.size);
    const hasName = result?.deduplicated !== true && result?.originalFilename === name;
    const isOthers = !hasSize || (failure?.originalFilename === name && !hasName);
    if (result !== undefined && (failure === undefined || !isOthers)) {
      stored += 1;
      return result;
    }
    refused += 1;
    const { error = "No answer", statusCode = 0, code, details } = failure ?? {};
    const retryAfterSeconds = details?.retryAfter as number | undefined;
    return { file, error: new MediaHostError(error, { statusCode, code, details, retryAfterSeconds }) };
  });
}
