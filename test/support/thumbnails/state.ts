import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { thumbnailKey } from "../../../src/domain/object-key.ts";
import { readMeter, storedKeys, uploadRowIds } from "../api/account-state.ts";
import { inLibraries } from "../api/databases.ts";
import { InterruptedUpload } from "../uploads/interrupted-upload.ts";
import type { StoredVideo } from "./queue.ts";

/** The contents of the stores for videos and their thumbnails. */

export const VIDEO_BYTES = 3000;

/** A video in the state after an answered upload, without its message in the queue, because the test delivers the message. */
export async function storeVideo(accountId: string): Promise<StoredVideo> {
  const upload = new InterruptedUpload(accountId, "video", VIDEO_BYTES);
  await upload.reserve();
  await upload.put();
  await upload.insertRow();
  await upload.settle();
  return { accountId, uploadId: upload.uploadId, objectKey: upload.objectKey };
}

interface VideoRow {
  readonly width: number;
  readonly height: number;
  readonly duration_ms: number | null;
  readonly thumbnail_size_bytes: number | null;
  readonly thumbnail_error: string | null;
}

export async function videoRow({ uploadId }: StoredVideo): Promise<VideoRow | null> {
  const columns = "width, height, duration_ms, thumbnail_size_bytes, thumbnail_error";
  const [row] = await inLibraries<VideoRow>(`SELECT ${columns} FROM uploads WHERE id = ?`, uploadId);
  return row ?? null;
}

/** The bytes of the thumbnail in R2; 0 if there is none. */
export async function thumbnailBytes({ accountId, uploadId }: StoredVideo): Promise<number> {
  return (await env.FILES.head(thumbnailKey(accountId, uploadId)))?.size ?? 0;
}

/** R2, database and figure agree to the byte, thumbnails included, and no intent is open. */
export async function expectAccounted(accountId: string): Promise<void> {
  const { objects } = await env.FILES.list({ prefix: `uploads/${accountId}/` });
  const rows = await inLibraries<{
    id: string;
    object_key: string;
    size_bytes: number;
    thumbnail_size_bytes: number | null;
  }>("SELECT id, object_key, size_bytes, thumbnail_size_bytes FROM uploads WHERE account_id = ?", accountId);
  const known = rows.flatMap((row): [string, number][] => [
    [row.object_key, row.size_bytes],
    ...(row.thumbnail_size_bytes === null
      ? []
      : [[thumbnailKey(accountId, row.id), row.thumbnail_size_bytes] as [string, number]]),
  ]);
  expect(objects.map(({ key, size }) => [key, size]).sort()).toEqual(known.sort());
  const { storageBytes, intents } = await readMeter(accountId);
  expect(intents).toEqual([]);
  expect(storageBytes).toBe(objects.reduce((sum, { size }) => sum + size, 0));
}

/** The stores have no byte, no row and no open intent, and nothing is counted. */
export async function expectNoTrace(accountId: string): Promise<void> {
  expect(await storedKeys(accountId)).toEqual([]);
  expect(await uploadRowIds(accountId)).toEqual([]);
  expect(await readMeter(accountId)).toMatchObject({ intents: [], storageBytes: 0 });
}
