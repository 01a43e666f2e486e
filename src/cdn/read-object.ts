import { ERRORS } from "../domain/errors.ts";
import { toLogLine } from "../domain/log-line.ts";
import { isTakenDown } from "../domain/takedown.ts";
import { type RequestedRange, resolveRange } from "./range.ts";

const RETRY_AFTER_SECONDS = 5;

/** An object of R2; without a body if only its facts were requested. */
export type FoundObject = R2Object & { readonly body?: ReadableStream };

/**
 * Reads an object or a range of it in one R2 operation. If the range is unsatisfiable, the body is missing or wrong, so the caller compares
 * the range with the size.
 * @throws ServiceError 404, 503
 */
export function readObject(files: R2Bucket, objectKey: string, range?: RequestedRange): Promise<FoundObject> {
  return found(range === undefined ? files.get(objectKey) : readRange(files, objectKey, range));
}

/** @throws ServiceError 404, 503 */
export function readFacts(files: R2Bucket, objectKey: string): Promise<FoundObject> {
  return found(files.head(objectKey));
}

/** Ends the transfer of a body that is not needed. */
export async function discard(object: FoundObject): Promise<void> {
  await object.body?.cancel().catch(() => {});
}

/**
 * R2 throws on an unsatisfiable range. Its code differs at and after the end. The error lacks the size, which the answer needs, so only
 * this case takes a second operation.
 */
async function readRange(files: R2Bucket, objectKey: string, range: RequestedRange): Promise<FoundObject | null> {
  try {
    return await files.get(objectKey, { range });
  } catch (error) {
    const object = await files.head(objectKey);
    if (object !== null && resolveRange(range, object.size) !== undefined) throw error;
    return object;
  }
}

async function found(operation: Promise<FoundObject | null>): Promise<FoundObject> {
  const object = await operation.catch((error: unknown) => {
    console.error(toLogLine("object.not-read", {}, error));
    throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  });
  if (object === null) throw ERRORS.FileNotFound();
  if (isTakenDown(object)) {
    await discard(object);
    throw ERRORS.TakenDown();
  }
  return object;
}
