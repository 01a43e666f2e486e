import { mp4 } from "../support/media/samples.ts";
import { type Stack, startBare, startCdn } from "../support/stack/miniflare.ts";
import { Client } from "./support/client.ts";
import { reportRatio, type Target } from "./support/report.ts";
import { measureInTurn, tasksPerSecond } from "./support/rounds.ts";

const FILE_BYTES = 50 * 1024 * 1024;
const RANGE_BYTES = 64 * 1024;
const CONCURRENCY = 16;
const REQUESTS = 1500;
const ROUNDS = 9;
const OBJECT_KEY = "uploads/01arz3ndektsv4rrffq69g5fav/01arz3ndektsv4rrffq69g5faw-video.mp4";

/** A player that seeks: 64 KiB reads at random offsets of a 50 MB file, 16 at once. */
export async function benchRange(): Promise<Target[]> {
  console.log(`range: ${RANGE_BYTES / 1024} KiB reads of a 50 MB file, ${CONCURRENCY} at once`);
  const file = mp4(FILE_BYTES);
  await using product = await startCdn();
  await using bare = await startBare("range.ts");
  const sides = { product: await rangeReader(product, file), bare: await rangeReader(bare, file) };
  return [reportRatio("requests/s", await measureInTurn(ROUNDS, sides), { atLeast: 0.97 })];
}

async function rangeReader({ miniflare, url }: Stack, file: Uint8Array<ArrayBuffer>): Promise<() => Promise<number>> {
  const bucket = await miniflare.getR2Bucket("FILES");
  await bucket.put(OBJECT_KEY, file, { httpMetadata: { contentType: "video/mp4" } });
  const client = new Client(url);
  const random = sequence();
  return () =>
    tasksPerSecond(REQUESTS, CONCURRENCY, async () => {
      // Not from the first byte: a view is counted once, not with every seek.
      const offset = 1 + Math.floor(random() * (FILE_BYTES - RANGE_BYTES - 1));
      const headers = { Range: `bytes=${offset}-${offset + RANGE_BYTES - 1}` };
      const { body } = await client.call(206, `/${OBJECT_KEY}`, { headers });
      if (!body.equals(file.subarray(offset, offset + RANGE_BYTES))) throw new Error(`Wrong bytes at ${offset}`);
    });
}

/** The same numbers between 0 and 1 for both sides. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
