/** Aborts R2's multipart upload. Ignores R2's error for an upload that was completed or aborted before. */
export async function abortMultipartUpload(files: R2Bucket, key: string, multipartUploadId: string): Promise<void> {
  try {
    await files.resumeMultipartUpload(key, multipartUploadId).abort();
  } catch (error) {
    if (!isMultipartUploadGone(error)) throw error;
  }
}

/** Whether R2's error means that the multipart upload does not exist, or no longer exists. */
export function isMultipartUploadGone(error: unknown): boolean {
  return /does not exist|NoSuchUpload|\(10024\)/i.test(String(error));
}
