import { env } from "cloudflare:workers";
import { firstIdAt, newUploadId } from "../../../src/domain/ids.ts";
import { fileKey } from "../../../src/domain/object-key.ts";
import { libraries, shardOf } from "../api/databases.ts";

const ROWS_PER_STATEMENT = 1000;
const PUTS_AT_ONCE = 20;

/**
 * Gives an account many uploads, a millisecond apart: rows, and on request objects of one byte. Neither the account's log nor its figure
 * counts them. @returns their keys
 */
export async function seedUploads(
  accountId: string,
  count: number,
  { objects, fromAt = Date.now() - count - 60_000 }: { readonly objects: boolean; readonly fromAt?: number },
): Promise<string[]> {
  const shard = await shardOf(accountId);
  const uploads = Array.from({ length: count }, (_, at) => {
    const createdAt = fromAt + at;
    const id = firstIdAt(createdAt) + newUploadId(Date.now(), shard).slice(10);
    return { id, createdAt, number: String(newNumber(createdAt)), key: fileKey(accountId, id, "a.png") };
  });
  for (let at = 0; at < count; at += ROWS_PER_STATEMENT) {
    await libraries
      .bindingOf(shard)
      .prepare(
        `INSERT INTO uploads (number, id, account_id, status, object_key, original_filename, mime_type, size_bytes, original_size_bytes,
           width, height, favorite, tags, created_at)
         SELECT CAST(value ->> 'number' AS INTEGER), value ->> 'id', ?, 'active', value ->> 'key', 'a.png', 'image/png', 1, 1, 1, 1, 0, '[]',
           value ->> 'createdAt' FROM json_each(?)`,
      )
      .bind(accountId, JSON.stringify(uploads.slice(at, at + ROWS_PER_STATEMENT)))
      .run();
  }
  if (objects) {
    const left = uploads.values();
    const work = async () => {
      for (const { key } of left) await env.FILES.put(key, "x");
    };
    await Promise.all(Array.from({ length: PUTS_AT_ONCE }, work));
  }
  return uploads.map(({ key }) => key);
}

/** Numbers uploads as the library does: by their time, and distinct within a millisecond. */
function newNumber(createdAt: number): bigint {
  return (BigInt(createdAt) << 20n) + BigInt(Math.floor(Math.random() * 2 ** 20));
}
