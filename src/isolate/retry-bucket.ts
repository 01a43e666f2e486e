import { retry } from "./retry.ts";

/**
 * R2's error codes for what may pass (R2 documentation, "Error codes", service errors), at the end of its messages: internal
 * error, unavailable, disconnected, too many requests. 0 is an error without a code, as a broken connection is.
 */
const PASSING = /\((?:10001|10043|10054|10058|0)\)\.?$|Network connection lost|internal error; reference/i;

const again = <T>(call: (number: number) => Promise<T>) => retry(call, mayPass);

function mayPass(error: unknown): boolean {
  return error instanceof Error && PASSING.test(error.message);
}

/** Whether R2 can be given the same body once more; of a stream only whoever opens it knows (`retryR2`). */
function isRepeatable(body: unknown): boolean {
  return !(body instanceof ReadableStream);
}

/**
 * A bucket that tries again what may pass. All of its calls can be made twice, but for those whose body is a stream: it is
 * read only once, so whoever can open it again tries again himself (`retryR2`).
 */
export function retryBucket(bucket: R2Bucket): R2Bucket {
  type Put = (...args: Parameters<R2Bucket["put"]>) => Promise<R2Object | null>;
  const put: Put = (...args) => (bucket as { put: Put }).put(...args);
  return {
    head: (key) => again(() => bucket.head(key)),
    get: ((...args: Parameters<R2Bucket["get"]>) => again(() => bucket.get(...args))) as R2Bucket["get"],
    put: ((...args) => (isRepeatable(args[1]) ? again(() => put(...args)) : put(...args))) as R2Bucket["put"],
    delete: (keys) => again(() => bucket.delete(keys)),
    list: (options) => again(() => bucket.list(options)),
    createMultipartUpload: async (key, options) =>
      retryMultipart(bucket, await again(() => bucket.createMultipartUpload(key, options))),
    resumeMultipartUpload: (key, uploadId) => retryMultipart(bucket, bucket.resumeMultipartUpload(key, uploadId)),
  };
}

/** Tries an R2 call again that opens its body anew each time. */
export function retryR2<T>(call: () => Promise<T>): Promise<T> {
  return again(call);
}

/** An attempt that failed may have succeeded in R2: then there is an object already, or no upload left to abort. */
function retryMultipart(bucket: R2Bucket, upload: R2MultipartUpload): R2MultipartUpload {
  const { key, uploadId } = upload;
  return {
    key,
    uploadId,
    uploadPart: (...args) =>
      isRepeatable(args[1]) ? again(() => upload.uploadPart(...args)) : upload.uploadPart(...args),
    complete: (parts) =>
      again(async (number) => (number > 1 ? await bucket.head(key) : null) ?? (await upload.complete(parts))),
    abort: () =>
      again((number) =>
        upload.abort().catch((error: unknown) => {
          if (number === 1 || !/\(10024\)/.test(String(error))) throw error;
        }),
      ),
  };
}
