import { TIERS } from "../../src/domain/tiers.ts";
import { png } from "../support/media/samples.ts";
import { type Stack, startApi, startBare, startCdn } from "../support/stack/miniflare.ts";
import { type Answer, admittedInWindow, sendMixed, type UsageClient } from "../support/usage/exactness.ts";
import { benchObservability } from "./observability.ts";
import { openBusinessAccount } from "./support/account.ts";
import { Client } from "./support/client.ts";
import { reportFigure, reportRatio, reportTarget, type Target } from "./support/report.ts";
import { measureInTurn, median, tasksPerSecond } from "./support/rounds.ts";

const CONCURRENCY = 64;
const VIEWS = 2000;
const VIEWS_A_ROUND = 1000;
const ROUNDS = 9;
const FILE_BYTES = 20_000;
const MIXED = 500;
/** Views are counted within a second here, plus the time of the queue. */
const COUNTED_WITHIN_MS = 60_000;
const SETTLE_MS = 5000;
const OBJECT_KEY = "uploads/01arz3ndektsv4rrffq69g5fav/01arz3ndektsv4rrffq69g5faw-a.png";

/**
 * The cost of limits and counting, and whether they are exact under load. Each measure is one function, and its targets are added here.
 * (The simulator runs journals, meters and the CDN Worker on one thread, so counting takes time from serving, unlike in production.)
 */
export async function benchLimits(): Promise<Target[]> {
  console.log(
    `limits: ${VIEWS} views, ${MIXED} uploads and deletions at once, ${CONCURRENCY} clients at the rate limit`,
  );
  return [...(await benchViewTimes()), ...(await benchExactness()), ...(await benchObservability())];
}

/** The same code with counting on and off, in turn. */
async function benchViewTimes(): Promise<Target[]> {
  await using product = await startCdn();
  await using bare = await startBare("uncounted.ts");
  const sides = { product: await viewer(product), bare: await viewer(bare) };
  return [reportRatio("ms, median", await measureInTurn(ROUNDS, sides), { atMost: 1.1 })];
}

async function viewer({ miniflare, url }: Stack): Promise<() => Promise<number>> {
  const bucket = await miniflare.getR2Bucket("FILES");
  await bucket.put(OBJECT_KEY, png(1, 1, FILE_BYTES), { httpMetadata: { contentType: "image/png" } });
  const client = new Client(url);
  return async () => {
    const ms: number[] = [];
    await tasksPerSecond(VIEWS_A_ROUND, CONCURRENCY, async () => {
      ms.push((await client.call(200, `/${OBJECT_KEY}`)).seconds * 1000);
    });
    return median(ms);
  };
}

async function benchExactness(): Promise<Target[]> {
  await using stack = await startApi();
  const mixed = await sendMixed(
    usageClient(await openBusinessAccount(stack.url, "mixed@example.com"), stack.url),
    MIXED,
  );
  for (const { name, shown } of mixed) reportFigure(name, shown, "");
  const wrong = mixed.filter(({ expected, shown }) => expected !== shown).length;
  const counted = await countViews(stack);
  const limited = await openBusinessAccount(stack.url, "limited@example.com");
  const admitted = await admittedInWindow(usageClient(limited, stack.url), CONCURRENCY);
  const exactly = (count: number) => ({ atLeast: count, atMost: count });
  return [
    reportTarget({ name: "views counted", value: counted, ...exactly(VIEWS) }),
    reportTarget({ name: "wrong figures", value: wrong, atMost: 0 }),
    reportTarget({ name: "admitted", value: admitted, ...exactly(TIERS.business.requestsPerMinute) }),
  ];
}

/** @returns the views in the account's statistics at the end */
async function countViews({ url }: Stack): Promise<number> {
  const { client } = await openBusinessAccount(url, "viewed@example.com");
  const { body } = await client.call(201, "/images/upload?filename=a.png", {
    method: "POST",
    body: Buffer.from(png(1, 1, FILE_BYTES)),
  });
  const path = new URL(JSON.parse(body.toString()).url).pathname;
  const viewer = new Client(url);
  await tasksPerSecond(VIEWS, CONCURRENCY, () => viewer.call(200, path));
  const read = async () => {
    const overview = JSON.parse((await client.call(200, "/stats/overview")).body.toString());
    return Math.round(overview.operations.classB * 10);
  };
  const givenUpAt = Date.now() + COUNTED_WITHIN_MS;
  while ((await read()) < VIEWS && Date.now() < givenUpAt) await new Promise((resolve) => setTimeout(resolve, 500));
  // No view is counted twice afterwards, either.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return read();
}

function usageClient({ client }: { readonly client: Client }, url: URL): UsageClient {
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { ...(client.headers as Record<string, string>), ...(init.headers as Record<string, string>) };
    const response = await fetch(new URL(path, url), { ...init, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    get: (path) => send(path),
    remove: (path) => send(path, { method: "DELETE" }),
    upload: (sizes) => {
      const form = new FormData();
      for (const size of sizes) form.append("file", new File([png(1, 1, size)], "a.png"));
      return send("/images/upload", { method: "POST", body: form });
    },
  };
}
