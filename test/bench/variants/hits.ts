import { fileKey } from "../../../src/domain/object-key.ts";
import { startCdn } from "../../support/stack/miniflare.ts";
import type { Picture } from "../previews/pictures.ts";
import { Client } from "../support/client.ts";
import { reportRatio, type Target } from "../support/report.ts";
import { measureInTurn, tasksPerSecond } from "../support/rounds.ts";

const ACCOUNT_ID = "01arz3ndektsv4rrffq69g5fav";
const REQUESTS = 1500;
const CONCURRENCY = 16;
const ROUNDS = 9;
const QUERY = "w=640&fm=webp";

/** Requests for a stored variant, beside requests for a file of the same bytes at the same Worker. */
export async function benchHits({ type, file }: Picture): Promise<Target> {
  console.log(`variants: a stored variant beside a file of the same bytes, ${CONCURRENCY} requests at once`);
  await using stack = await startCdn();
  const bucket = await stack.miniflare.getR2Bucket("FILES");
  const put = async (uploadId: string, name: string, bytes: Uint8Array, contentType: string) => {
    const objectKey = fileKey(ACCOUNT_ID, uploadId, name);
    await bucket.put(objectKey, bytes, { httpMetadata: { contentType } });
    return `/${objectKey}`;
  };
  const photo = await put("01arz3ndektsv4rrffq69g5faw", "photo.jpg", file, type);
  const client = new Client(stack.url);
  const { body } = await client.call(200, `${photo}?${QUERY}`);
  const plain = await put("01arz3ndektsv4rrffq69g5fax", "plain.webp", body, "image/webp");
  const reader = (path: string) => () =>
    tasksPerSecond(REQUESTS, CONCURRENCY, async () => {
      if (!(await client.call(200, path)).body.equals(body)) throw new Error(`Wrong bytes of ${path}`);
    });
  const sides = { product: reader(`${photo}?${QUERY}`), bare: reader(plain) };
  const target = reportRatio("requests/s", await measureInTurn(ROUNDS, sides), { atLeast: 0.95 });
  client.close();
  return target;
}
