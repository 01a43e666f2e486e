import { createHash } from "node:crypto";
import { isBlocked, isSizeBlocked } from "../../db/directory/takedowns.ts";
import type { Upload } from "../../db/library/schema.ts";
import { MAX_KEPT_BYTES } from "../../domain/takedown.ts";
import type { AccountStores } from "./account-stores.ts";

/**
 * Whether the operator has blocked a stored file's bytes. The file is read only if a blocked file has its size and its hashes are unknown.
 * Files that a takedown does not hash are never blocked.
 */
export async function isFileBlocked(
  { directory, files }: Pick<AccountStores, "directory" | "files">,
  objectKey: string,
  hashes?: Pick<Upload, "sha256" | "uploadedSha256">,
): Promise<boolean> {
  const found = await files.head(objectKey);
  if (found === null || found.size > MAX_KEPT_BYTES || !(await isSizeBlocked(directory, found.size))) return false;
  if (hashes !== undefined) {
    for (const hash of Object.values(hashes)) if (hash !== null && (await isBlocked(directory, hash))) return true;
    return false;
  }
  const object = await files.get(objectKey);
  return object !== null && isBlocked(directory, await hashBody(object.body));
}

/** @returns the SHA-256 of a stream, hexadecimal */
async function hashBody(body: ReadableStream<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of body) hash.update(bytes);
  return hash.digest("hex");
}
