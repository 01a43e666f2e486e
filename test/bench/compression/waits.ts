import { Client } from "../support/client.ts";
import { reportTarget, type Target } from "../support/report.ts";
import { QUALITY } from "./rival.ts";
import type { Source } from "./sources.ts";
import { startCompression } from "./stage.ts";

/** Images that take long in an isolate, and the longest wait of another request during each. */
const NAMES = ["JPEG 12 MP, quality 95", "PNG photo 4 MP", "WebP photo 3 MP", "WebP flat, lossless"];
const MOST_MS = 50;
/** libwebp cannot pause. Only other images of the Codec Worker's isolate wait: in production it has a thread of its own. */
const MOST_MS_OF_WEBP = 1000;
const ROUNDS = 3;
const PING_EVERY_MS = 5;

/** The longest wait of a request without work while an image is compressed in the same process. */
export async function benchWaits(sources: readonly Source[], processorUrl: URL): Promise<Target[]> {
  console.log(`  worst wait of another request while an image is compressed, the best of ${ROUNDS} rounds`);
  const targets: Target[] = [];
  for (const source of sources.filter(({ name }) => NAMES.includes(name))) {
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round++) waits.push(await measureWorstWait(source, processorUrl));
    const atMost = source.type === "image/webp" ? MOST_MS_OF_WEBP : MOST_MS;
    targets.push(reportTarget({ name: source.name, value: Math.min(...waits), atMost, unit: "ms" }));
  }
  return targets;
}

async function measureWorstWait({ type, file }: Source, processorUrl: URL): Promise<number> {
  await using bench = await startCompression();
  const [worker, other] = [new Client(bench.url), new Client(bench.url)];
  const query = new URLSearchParams({ type, quality: String(QUALITY), processor: processorUrl.href });
  await other.call(200, "/ping");
  let isDone = false;
  const work = worker.call(200, `/?${query}`, { method: "POST", body: file }).finally(() => {
    isDone = true;
  });
  let worstMs = 0;
  while (!isDone) {
    worstMs = Math.max(worstMs, 1000 * (await other.call(200, "/ping")).seconds);
    await new Promise((resolve) => setTimeout(resolve, PING_EVERY_MS));
  }
  await work;
  for (const client of [worker, other]) client.close();
  return worstMs;
}
