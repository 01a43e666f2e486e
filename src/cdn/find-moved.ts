import { ERRORS, ServiceError } from "../domain/errors.ts";
import { toLogLine } from "../domain/log-line.ts";
import { keyAs, movedKey, objectUrl, thumbnailKey, versionOf } from "../domain/object-key.ts";
import type { RequestedFile } from "./object-path.ts";
import type { Pass } from "./open-pass.ts";
import { readFacts } from "./read-object.ts";

const RETRY_AFTER_SECONDS = 5;

/** A file's bytes were replaced: its earlier URLs lead to its present one (REPL-2). */
export class MovedError extends Error {
  /** The present URL without its origin, with the query of the request. */
  readonly location: string;
  readonly isPrivate: boolean;

  constructor(location: string, isPrivate: boolean) {
    super("The file has moved");
    this.location = location;
    this.isPrivate = isPrivate;
  }
}

/**
 * Finds the present URL of a file whose bytes were replaced. Only a request that may read a private file gets its present URL. The search
 * takes one R2 operation for a file that never existed, and two or three for a file that has moved.
 * @returns undefined if the file has not moved, or is deleted
 * @throws ServiceError 403 for a private file, 451, 503
 */
export async function findMoved(files: R2Bucket, file: RequestedFile, pass: Pass): Promise<MovedError | undefined> {
  const { accountId, uploadId, kind, objectKey, query } = file;
  const present = await readMoved(files, movedKey(accountId, uploadId));
  if (present === undefined) return undefined;
  const path = kind === "file" ? present : thumbnailKey(accountId, versionOf(present));
  // The present file itself is gone just now.
  if (path === objectKey) return undefined;
  for (const place of pass.places) {
    if (!(await isThere(files, keyAs(path, place)))) continue;
    return new MovedError(objectUrl("", path) + (query === "" ? "" : `?${query}`), place === "private");
  }
  if (!pass.places.includes("private") && (await isThere(files, keyAs(path, "private")))) throw pass.refusal();
  return undefined;
}

async function readMoved(files: R2Bucket, key: string): Promise<string | undefined> {
  try {
    return await (await files.get(key))?.text();
  } catch (error) {
    console.error(toLogLine("object.not-read", {}, error));
    throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }
}

async function isThere(files: R2Bucket, key: string): Promise<boolean> {
  try {
    await readFacts(files, key);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "file_not_found") return false;
    throw error;
  }
}
