/** Aborts R2's multipart upload. What was completed or aborted before is an error to R2, and nothing to us. */
export async function abortMultipartUpload(files: R2Bucket, key: string, multipartUploadId: string): Promise<void> {
  try {
    await files.resumeMultipartUpload(key, multipartUploadId).abort();
  } catch (error) {
    if (!isMultipartUploadGone(error)) throw error;
  }
}

/** Whether R2 says that there is no such multipart upload, or no more. */
export function isMultipartUploadGone(error: unknown): boolean {
  return /does not exist|NoSuchUpload|\(10024\)/i.test(String(error));
}
