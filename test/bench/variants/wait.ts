import type { Picture } from "../previews/pictures.ts";
import { Client } from "../support/client.ts";
import { reportTarget, type Target } from "../support/report.ts";
import { startVariants } from "./start-variants.ts";

const MAX_MS = 50;
const ROUNDS = 5;
const PING_EVERY_MS = 5;

/** The longest wait of a request without work while a variant is made in the same process, the best of some rounds. */
export async function benchWait({ name, type, file }: Picture): Promise<Target> {
  await using bench = await startVariants();
  const [worker, other] = [new Client(bench.url), new Client(bench.url)];
  await worker.call(200, "/", { method: "PUT", headers: { "Content-Type": type }, body: file });
  // The first call compiles the engines.
  await worker.call(200, "/?w=320");
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round++) waits.push(await measureWorstWait(worker, other));
  for (const client of [worker, other]) client.close();
  return reportTarget({ name: `${name}, wait`, value: Math.min(...waits), atMost: MAX_MS, unit: "ms" });
}

async function measureWorstWait(worker: Client, other: Client): Promise<number> {
  await other.call(200, "/ping");
  let isDone = false;
  const work = worker.call(200, "/?w=640").finally(() => {
    isDone = true;
  });
  let worstMs = 0;
  while (!isDone) {
    worstMs = Math.max(worstMs, 1000 * (await other.call(200, "/ping")).seconds);
    await new Promise((resolve) => setTimeout(resolve, PING_EVERY_MS));
  }
  await work;
  return worstMs;
}
