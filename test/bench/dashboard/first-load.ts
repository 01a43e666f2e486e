import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { weighDashboard } from "../../../src/tools/build/dashboard-sizes.ts";
import { openPage } from "../../support/dashboard/browser.ts";
import { SeededApi, STATIC_TILES } from "../../support/dashboard/seeded-api.ts";
import { reportRatio, reportTarget, type Target } from "../support/report.ts";
import { measureInTurn } from "../support/rounds.ts";

const ROUNDS = 5;
/** Parts that load when the page is idle have loaded after this long without a request. */
const IDLE_MS = 3000;
/** A first load's scripts, their parts until idle, and the requests before the first picture (the dashboard's design). */
const MOST = { mainThread: 4, firstPaint: 1.5, scriptKb: 120, idleScriptKb: 200, requests: 40 } as const;

interface Load {
  /** KB of JavaScript after gzip until idle. */
  readonly idleScriptKb: number;
  /** Requests until the first picture, beside those of previews. */
  readonly requests: number;
  /** Bytes of the documents, scripts and styles until the first picture. */
  readonly bytes: number;
}

/** A first load of the library with an empty cache. */
export async function benchFirstLoad(browser: Browser): Promise<Target[]> {
  await using api = await SeededApi.start(100_000);
  const library = `${api.url}/dashboard/library`;
  console.log("dashboard: the main thread in a first load, against a static page with the same tiles");
  const mainThread = reportRatio(
    "ms",
    await measureInTurn(ROUNDS, {
      product: () => mainThreadMs(browser, library, STATIC_TILES),
      bare: () => mainThreadMs(browser, `${api.url}/static`, STATIC_TILES),
    }),
    { atMost: MOST.mainThread },
  );
  const { idleScriptKb, requests, bytes } = await load(browser, library);
  console.log(`dashboard: first contentful paint, against a static page of as many bytes (${bytes})`);
  const firstPaint = reportRatio(
    "ms",
    await measureInTurn(ROUNDS, {
      product: () => firstPaintMs(browser, library),
      bare: () => firstPaintMs(browser, `${api.url}/static?bytes=${bytes}`),
    }),
    { atMost: MOST.firstPaint },
  );
  console.log("dashboard: what a first load requests");
  const scriptKb = (await weighDashboard()).pages.get("library/library-page.tsx")?.scriptKb ?? Number.NaN;
  return [
    mainThread,
    firstPaint,
    reportTarget({ name: "scripts", value: scriptKb, atMost: MOST.scriptKb, unit: "KB gzip" }),
    reportTarget({ name: "scripts until idle", value: idleScriptKb, atMost: MOST.idleScriptKb, unit: "KB gzip" }),
    reportTarget({ name: "requests", value: requests, atMost: MOST.requests }),
  ];
}

/** Loads the library until idle, and counts. */
async function load(browser: Browser, url: string): Promise<Load> {
  const { page } = await openPage(browser);
  const paths: string[] = [];
  let last = performance.now();
  page.on("request", (request) => {
    last = performance.now();
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/previews/")) paths.push(pathname);
  });
  await page.goto(url);
  await page.locator('[data-position="0"] img[data-state="shown"]').waitFor();
  const first = [...paths];
  while (performance.now() - last < IDLE_MS) await page.waitForTimeout(100);
  await page.context().close();
  const scripts = await Promise.all(paths.filter((path) => path.endsWith(".js")).map(readAsset));
  const ofPage = await Promise.all(first.filter((path) => /\.(js|css)$/.test(path)).map(readAsset));
  return {
    idleScriptKb: scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0) / 1024,
    requests: first.length,
    bytes: ofPage.reduce((sum, { length }) => sum + length, 0),
  };
}

/** A built file of the dashboard, by its path in the address. */
function readAsset(path: string): Promise<Buffer> {
  return readFile(join(".assets", path));
}

async function firstPaintMs(browser: Browser, url: string): Promise<number> {
  const { page } = await openPage(browser);
  await page.goto(url);
  const ms = await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
    }).observe({ type: "paint", buffered: true });
  })`);
  await page.context().close();
  return ms;
}

/** @returns the main thread's work in ms, from an empty cache until this number of pictures is visible */
async function mainThreadMs(browser: Browser, url: string, pictures: number): Promise<number> {
  const { page } = await openPage(browser);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await page.goto(url);
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const shown = [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0);
      if (shown.length >= ${pictures}) resolve();
      else requestAnimationFrame(look);
    };
    look();
  })`);
  const { metrics } = await devtools.send("Performance.getMetrics");
  await page.context().close();
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
}
