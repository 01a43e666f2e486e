import { MAX_KEPT_BYTES } from "../../domain/takedown.ts";

/** Bytes of one part of a copy in parts. R2 allows 10,000 parts. */
const PART_BYTES = 512 * 1024 * 1024;

/** Tests lower them. */
interface CopyLimits {
  readonly maxPutBytes: number;
  readonly partBytes: number;
}

/**
 * Copies an object with its metadata as a stream, so memory does not grow with it. An existing object is replaced.
 * @returns false if there is no such object
 * @throws Error if R2 fails
 */
export async function copyObject(
  files: R2Bucket,
  from: string,
  to: string,
  limits: CopyLimits = { maxPutBytes: MAX_KEPT_BYTES, partBytes: PART_BYTES },
): Promise<boolean> {
  const object = await files.get(from);
  if (object === null) return false;
  if (object.size <= limits.maxPutBytes) {
    await files.put(to, object.body, metadataOf(object));
    return true;
  }
  await object.body.cancel();
  await copyParts(files, object, to, limits.partBytes);
  return true;
}

async function copyParts(files: R2Bucket, object: R2Object, to: string, partBytes: number): Promise<void> {
  const multipart = await files.createMultipartUpload(to, metadataOf(object));
  try {
    const parts: R2UploadedPart[] = [];
    for (let offset = 0; offset < object.size; offset += partBytes) {
      const part = await files.get(object.key, {
        range: { offset, length: Math.min(partBytes, object.size - offset) },
      });
      if (part === null) throw new Error("The object was deleted while it was copied");
      parts.push(await multipart.uploadPart(parts.length + 1, part.body));
    }
    await multipart.complete(parts);
  } catch (error) {
    // R2 itself drops an unfinished multipart upload after seven days.
    await multipart.abort().catch(() => undefined);
    throw error;
  }
}

function metadataOf({ httpMetadata, customMetadata }: R2Object): Pick<R2PutOptions, "httpMetadata" | "customMetadata"> {
  return {
    ...(httpMetadata === undefined ? {} : { httpMetadata }),
    ...(customMetadata === undefined ? {} : { customMetadata }),
  };
}
