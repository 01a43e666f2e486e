import { deriveServiceKey, signFile } from "../../src/domain/file-signature.ts";
import { keyAs } from "../../src/domain/object-key.ts";
import { png } from "../support/media/samples.ts";
import { BENCH_SIGNING_SECRET, startCdn } from "../support/stack/miniflare.ts";
import { Client } from "./support/client.ts";
import { reportRatio, type Target } from "./support/report.ts";
import { measureInTurn, tasksPerSecond } from "./support/rounds.ts";

const FILE_BYTES = 20_000;
const CONCURRENCY = 8;
const REQUESTS = 2000;
const ROUNDS = 15;
const ACCOUNT_ID = "01arz3ndektsv4rrffq69g5fav";
const UPLOAD_ID = "01arz3ndektsv4rrffq69g5faw";
const PATH = `uploads/${ACCOUNT_ID}/${UPLOAD_ID}-photo.png`;

/** Views of a private file by a signed URL against views of the same public file by its plain URL, in one Worker, in turns. */
export async function benchPrivate(): Promise<Target[]> {
  console.log(`private: signed views of a private file against plain views of a public one, ${CONCURRENCY} at once`);
  await using stack = await startCdn();
  const bucket = await stack.miniflare.getR2Bucket("FILES");
  const file = png(1, 1, FILE_BYTES);
  const options = { httpMetadata: { contentType: "image/png" } };
  const publicPath = PATH.replace(UPLOAD_ID, `${UPLOAD_ID.slice(0, -1)}x`);
  await bucket.put(publicPath, file, options);
  await bucket.put(keyAs(PATH, "private"), file, options);
  const expires = Math.floor(Date.now() / 1000) + 3600;
  const key = await deriveServiceKey(BENCH_SIGNING_SECRET, ACCOUNT_ID);
  const query = await signFile(key, { accountId: ACCOUNT_ID, uploadId: UPLOAD_ID, expires });
  const client = new Client(stack.url);
  const viewer = (path: string) => () =>
    tasksPerSecond(REQUESTS, CONCURRENCY, async () => {
      const { body } = await client.call(200, path);
      if (body.length !== FILE_BYTES) throw new Error(`${body.length} bytes`);
    });
  const sides = { product: viewer(`/${PATH}?${query}`), bare: viewer(`/${publicPath}`) };
  return [reportRatio("views/s", await measureInTurn(ROUNDS, sides), { atLeast: 0.9 })];
}
