import { MAX_COMPRESSIBLE_BYTES } from "../../media/compress.ts";
import type { AccountContext } from "../context.ts";
import { compressOriginal, type Replacement } from "./compress-original.ts";
import { largeImageTurns } from "./large-image-turns.ts";
import { putObject } from "./put-object.ts";
import type { StoredFile } from "./stored-file.ts";

/** Whoever has uploaded the image waits for the answer meanwhile. */
const MAX_WAIT_MS = 30_000;

/**
 * Compresses an image that was stored as uploaded, as there was no room to gather it. Its client has sent everything, so
 * the memory is taken for work of our own only. The object stays where it is, so that the upload's intent holds: a crash
 * leaves one or the other, and whatever fails leaves it as uploaded.
 * @throws Error where R2 does not say any more which of the two it has
 */
export async function compressStored(
  account: AccountContext,
  stored: StoredFile,
  quality: number,
): Promise<StoredFile> {
  if (stored.sizeBytes > MAX_COMPRESSIBLE_BYTES) return stored;
  // Its name would end otherwise.
  if (stored.mimeType === "image/gif") return stored;
  const turn = await largeImageTurns.take(MAX_WAIT_MS);
  if (turn === undefined) return stored;
  try {
    const replacement = await compressObject(account, stored, quality);
    if (replacement === undefined || !(await replace(account, stored, replacement))) return stored;
    const { sizeBytes } = replacement;
    await account.meter.shrink(stored.uploadId, sizeBytes);
    return { ...stored, sizeBytes, compressionQuality: quality };
  } finally {
    turn.release();
  }
}

async function compressObject(
  account: AccountContext,
  { objectKey, mimeType }: StoredFile,
  quality: number,
): Promise<Replacement | undefined> {
  try {
    const object = await account.files.get(objectKey);
    if (object === null) return undefined;
    return await compressOriginal(account, mimeType, await readWhole(object), quality);
  } catch (error) {
    console.error("An image could not be read back to be compressed", error);
    return undefined;
  }
}

/** Into memory of its size: `arrayBuffer()` gathers the pieces first, and needs it twice. */
async function readWhole({ body, size }: R2ObjectBody): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let length = 0;
  for await (const chunk of body) {
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

/** @returns whether the object is the replacement now */
async function replace(
  account: AccountContext,
  stored: StoredFile,
  { type, body, sizeBytes }: Replacement,
): Promise<boolean> {
  if (type !== stored.mimeType || sizeBytes >= stored.sizeBytes) {
    if (!(body instanceof Uint8Array)) await body.cancel();
    return false;
  }
  try {
    await putObject(account, stored, body, sizeBytes);
    return true;
  } catch (error) {
    console.error("A compressed image could not replace the uploaded one", error);
    const object = await account.files.head(stored.objectKey);
    if (object === null) throw error;
    return object.size === sizeBytes;
  }
}
