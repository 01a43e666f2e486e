import type { Connection } from "./connection.ts";
import { MediaHostError } from "./media-host-error.ts";
import { sendForm } from "./send-form.ts";
import type { UploadBatch, UploadResult } from "./types.ts";
import type { UploadOptions, UploadOutcome } from "./upload.ts";

export type UploadTogetherOptions = Omit<UploadOptions, "name" | "storage" | "resumableFromBytes">;

/**
 * Uploads small files in one request, which counts once for the rate limit.
 * @param files at most 50, together no more than one request may be
 * @returns what became of each, in their order
 * @throws MediaHostError where the whole request failed; the signal's reason
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

/** Both lists are in the order of the files. What tells whose turn it is: a stored file has the size that was sent, a failed one its name. */
function align(files: readonly Blob[], { uploaded, failed }: UploadBatch): UploadOutcome[] {
  let [stored, refused] = [0, 0];
  return files.map((file) => {
    const [result, failure] = [uploaded[stored], failed[refused]];
    const { name } = file as Partial<File>;
    const isOthers =
      result?.originalFileSize !== file.size ||
      (failure?.originalFilename === name && result.originalFilename !== name);
    if (result !== undefined && (failure === undefined || !isOthers)) {
      stored += 1;
      return result;
    }
    refused += 1;
    const { error = "No answer for this file", statusCode = 0, details } = failure ?? {};
    const retryAfterSeconds = details?.retryAfter as number | undefined;
    return { file, error: new MediaHostError(error, { statusCode, details, retryAfterSeconds }) };
  });
}
