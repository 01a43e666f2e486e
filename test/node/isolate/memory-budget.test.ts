import { setTimeout as sleep } from "node:timers/promises";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";

// workerd ties promises and timers to the request that made them. A budget is shared by several requests.

let miniflare: Miniflare;
let url: URL;

beforeAll(async () => {
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: "budget",
      modules: await bundleWorker("test/support/isolate/budget-worker.ts", { minify: false }),
      compatibilityDate: "2026-10-01",
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    }),
  );
  await miniflare.ready;
  url = await miniflare.unsafeGetDirectURL("budget");
});

afterAll(() => miniflare?.dispose());

interface Answer {
  readonly granted: boolean;
  readonly echo?: string;
  readonly freeBytes: number;
}

async function take(bytes: number, ms: number, wait: number, signal?: AbortSignal): Promise<Answer> {
  const answer = await fetch(new URL(`/?bytes=${bytes}&ms=${ms}&wait=${wait}`, url), signal ? { signal } : {});
  return (await answer.json()) as Answer;
}

describe("memory budget of an isolate", () => {
  it("The memory budget passes from request to request, and each continues its own work", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => take(60, 50, 10_000)));
    for (const answer of answers) expect(answer).toMatchObject({ granted: true, echo: "still here" });
  });

  it("The memory budget refuses requests that wait too long, and they leave nothing behind", async () => {
    const [holding, waiting] = await Promise.all([take(100, 800, 0), sleep(100).then(() => take(10, 0, 200))]);
    expect([holding.granted, waiting]).toEqual([true, { granted: false, freeBytes: 0 }]);
    expect(await take(100, 0, 0)).toMatchObject({ granted: true, freeBytes: 100 });
  });

  it("The memory budget is freed by requests whose clients hung up while they waited", async () => {
    const gone = new AbortController();
    const holding = take(100, 1500, 0);
    await sleep(200);
    const waiting = [1, 2, 3].map(() => take(100, 500, 60_000, gone.signal).catch(() => undefined));
    await sleep(300);
    gone.abort();
    await Promise.all([holding, ...waiting]);
    expect((await take(100, 0, 15_000)).granted).toBe(true);
  });
});
