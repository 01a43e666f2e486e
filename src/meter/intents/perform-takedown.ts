import { createHash } from "node:crypto";
import { endTakedown, insertTakedown } from "../../db/directory/takedowns.ts";
import { setTakedown } from "../../db/library/takedowns.ts";
import { findUpload } from "../../db/library/uploads.ts";
import { isVideo } from "../../domain/media-types.ts";
import { keyAs, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import {
  type FileHashes,
  isMarkOf,
  isTakenDown,
  MAX_KEPT_BYTES,
  quarantineKey,
  readHashes,
  toMark,
  UPLOADED_HASH,
} from "../../domain/takedown.ts";
import { otherThan, type Visibility } from "../../domain/visibility.ts";
import type { StoredTakedown } from "../books/takedown-store.ts";
import type { AccountStores } from "./account-stores.ts";
import { removeMade } from "./remove-made.ts";

const EMPTY = new Uint8Array(0);

/**
 * Takes a file down: its bytes go to quarantine or are destroyed, a marked empty object takes its place, and then the rest follows. Each
 * step can be repeated. A late write of the upload's own request may replace the mark, so the intent does all of it again later.
 * @returns the hashes of the file
 */
export async function performTakedown(takedown: StoredTakedown, stores: AccountStores): Promise<FileHashes> {
  const { accountId, directory, library, files } = stores;
  const { id, uploadId, objectKey, mimeType, reason, at } = takedown;
  const visibility = await visibilityOf(takedown, stores);
  const version = versionOf(objectKey);
  const thumbnail = thumbnailKey(accountId, version);
  const hashes = await replaceFile(takedown, keyAs(objectKey, visibility), files);
  if (isVideo(mimeType)) await mark(files, keyAs(thumbnail, visibility), id);
  // An interrupted change of visibility may have left copies.
  await files.delete([objectKey, thumbnail].map((path) => keyAs(path, otherThan(visibility))));
  await removeMade(version, stores);
  await setTakedown(library, { accountId, id: uploadId }, { id, at, reason });
  // The hashes are blocked on behalf of one takedown.
  for (const former of takedown.formerIds ?? []) {
    await endTakedown(directory, former, { state: "restored", at: stores.now, unblock: true });
  }
  await recordTakedown(takedown, hashes, stores);
  return hashes;
}

/** Records a takedown in the directory, which lists it, destroys its kept bytes in time and blocks these hashes. */
export async function recordTakedown(
  takedown: StoredTakedown,
  hashes: FileHashes,
  { accountId, directory }: AccountStores,
): Promise<void> {
  const { id, uploadId, objectKey, mimeType, sizeBytes, originalSizeBytes, reason, at, keepUntil } = takedown;
  const state = keepUntil === null || sizeBytes > MAX_KEPT_BYTES ? ("destroyed" as const) : ("kept" as const);
  const row = { id, accountId, uploadId, objectKey, mimeType, sizeBytes, reason, createdAt: at, keepUntil };
  const { fileName = null, actor = null } = takedown;
  await insertTakedown(directory, { ...row, state, stateAt: at, fileName, actor }, [
    ...(hashes.stored === undefined ? [] : [{ hash: hashes.stored, sizeBytes }]),
    ...(hashes.uploaded === undefined ? [] : [{ hash: hashes.uploaded, sizeBytes: originalSizeBytes }]),
  ]);
}

/** The visibility of a file, by which its key follows. An upload without a row is handled as public. */
async function visibilityOf(
  { uploadId }: Pick<StoredTakedown, "uploadId">,
  { accountId, library }: AccountStores,
): Promise<Visibility> {
  return (await findUpload(library, accountId, uploadId))?.visibility ?? "public";
}

/** @returns the hashes, which the mark keeps for a replay */
async function replaceFile(takedown: StoredTakedown, key: string, files: R2Bucket): Promise<FileHashes> {
  const { id, mimeType, keepUntil, hashes: known } = takedown;
  const object = await files.get(key);
  if (object === null || isTakenDown(object)) {
    await object?.body.cancel();
    const hashes = known ?? (object === null ? {} : readHashes(object));
    if (object !== null && isMarkOf(object, id)) return hashes;
    await takeOverQuarantine(takedown, files);
    await mark(files, key, id, hashes);
    return hashes;
  }
  const { uploaded } = readHashes(object);
  const stored = await take(object, keepUntil === null ? undefined : quarantineOf({ id, mimeType, uploaded }), files);
  const hashes = {
    ...known,
    ...(stored === undefined ? {} : { stored }),
    ...(uploaded === undefined ? {} : { uploaded }),
  };
  await mark(files, key, id, hashes);
  return hashes;
}

/** Keeps the bytes of a file whose restoration had not begun when it was taken down again. */
async function takeOverQuarantine({ id, keepUntil, formerIds = [] }: StoredTakedown, files: R2Bucket): Promise<void> {
  if (keepUntil === null) return;
  for (const former of formerIds.toReversed()) {
    const kept = await files.get(quarantineKey(former));
    if (kept !== null) return putAgain(kept, quarantineKey(id), files);
  }
}

async function putAgain({ body, httpMetadata, customMetadata }: R2ObjectBody, key: string, files: R2Bucket) {
  await files.put(key, body, {
    ...(httpMetadata === undefined ? {} : { httpMetadata }),
    ...(customMetadata === undefined ? {} : { customMetadata }),
  });
}

/** Removes the kept bytes of earlier takedowns when no late write of these can arrive any more. */
export async function dropFormer({ formerIds = [] }: StoredTakedown, { files }: AccountStores): Promise<void> {
  if (formerIds.length > 0) await files.delete(formerIds.map(quarantineKey));
}

/** Ends the restoration of a file that its owner has deleted. Nothing of the file stays. */
export async function dropRestored(
  { id, formerIds = [] }: StoredTakedown,
  { files, directory, now }: AccountStores,
): Promise<void> {
  const ids = [...formerIds, id];
  await files.delete(ids.map(quarantineKey));
  for (const each of ids) await endTakedown(directory, each, { state: "destroyed", at: now, unblock: true });
}

interface Quarantine {
  readonly key: string;
  readonly options: R2PutOptions;
}

function quarantineOf({ id, mimeType, uploaded }: Pick<StoredTakedown, "id" | "mimeType"> & FileHashes): Quarantine {
  const customMetadata: Record<string, string> = uploaded === undefined ? {} : { [UPLOADED_HASH]: uploaded };
  return { key: quarantineKey(id), options: { httpMetadata: { contentType: mimeType }, customMetadata } };
}

/** Reads a file once: hashes it, and stores its bytes if a key is given. @returns the hash; undefined for a file that is too large */
async function take(
  object: R2ObjectBody,
  quarantine: Quarantine | undefined,
  files: R2Bucket,
): Promise<string | undefined> {
  if (object.size > MAX_KEPT_BYTES) {
    await object.body.cancel();
    return undefined;
  }
  const hash = createHash("sha256");
  const hashed = object.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        hash.update(bytes);
        controller.enqueue(bytes);
      },
    }),
  );
  if (quarantine === undefined) await hashed.pipeTo(new WritableStream());
  else await files.put(quarantine.key, hashed.pipeThrough(new FixedLengthStream(object.size)), quarantine.options);
  return hash.digest("hex");
}

async function mark(files: R2Bucket, key: string, takedownId: string, hashes?: FileHashes): Promise<void> {
  await files.put(key, EMPTY, { customMetadata: toMark(takedownId, hashes) });
}

/** Marks a thumbnail that was written after its video was taken down. */
export async function markThumbnail(takedown: StoredTakedown, stores: AccountStores): Promise<void> {
  const visibility = await visibilityOf(takedown, stores);
  const path = thumbnailKey(stores.accountId, versionOf(takedown.objectKey));
  await mark(stores.files, keyAs(path, visibility), takedown.id);
  await stores.files.delete(keyAs(path, otherThan(visibility)));
}

/**
 * Restores a file from quarantine, and allows its bytes again. The quarantine is emptied only when no late write of the takedown can
 * arrive.
 * @returns false if the bytes are destroyed
 */
export async function performRestore(
  takedown: StoredTakedown,
  stores: AccountStores,
  { isLast }: { readonly isLast: boolean },
): Promise<boolean> {
  const { id, uploadId, objectKey, mimeType } = takedown;
  const { accountId, directory, library, files } = stores;
  const visibility = await visibilityOf(takedown, stores);
  const stored = keyAs(objectKey, visibility);
  const current = await files.head(stored);
  if (current === null || isTakenDown(current)) {
    const kept = await files.get(quarantineKey(id));
    if (kept === null) return false;
    await putAgain(kept, stored, files);
  }
  await setTakedown(library, { accountId, id: uploadId }, null);
  if (isVideo(mimeType)) {
    const key = keyAs(thumbnailKey(accountId, versionOf(objectKey)), visibility);
    const thumbnail = await files.head(key);
    const isMarked = thumbnail !== null && isTakenDown(thumbnail);
    if (isMarked) await files.delete(key);
    // This is sent after the row allows a thumbnail. The object defers it until the restoration is settled.
    const message = { type: "upload.stored", accountId, uploadId, objectKey, mimeType } as const;
    if (isMarked || !isLast) await stores.uploadEvents.send(message);
  }
  await endTakedown(directory, id, { state: "restored", at: stores.now, unblock: true });
  if (isLast) {
    await files.delete(quarantineKey(id));
    await dropFormer(takedown, stores);
  }
  return true;
}
