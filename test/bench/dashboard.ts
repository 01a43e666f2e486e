import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser/chromium.ts";
import { SeededApi } from "../support/dashboard/seeded-api.ts";
import { DashboardPage, type Frames } from "./dashboard/dashboard-page.ts";
import { benchFirstLoad } from "./dashboard/first-load.ts";
import { reportFigure, reportSpread, reportTarget, type Target } from "./support/report.ts";
import { median } from "./support/rounds.ts";

const SIZES = [1000, 100_000, 1_000_000];
const ROUNDS = 5;
const STEPS = 20;
/** A heap that grows with the visited part of the library would far exceed this. */
const MAX_HEAP_RATIO = 2;
/** Pixels a second of a wheel. */
const FAST_SPEED = 5000;
/** A wheel at this speed, and a click on a file that has a preview. */
const MAX_FRAME_MS = 20;
const MAX_SLOW_PERCENT = 1;
const MAX_OPEN_MS = 100;
/** The number of rounds stands for an hour of work without its pauses. */
const HOUR_ROUNDS = 60;
const LOOK_EVERY = 10;
/** These rounds fill the caches of pages and of undo steps. V8 goes on compiling functions, whose code is two thirds of the heap. */
const WARM_ROUNDS = 20;
const MAX_HOUR_RATIO = 1.1;
const MAX_DATA_RATIO = 1.05;

/** A first load, then the grid in Chromium with a seeded API: 100,000 and a million files against a thousand, in one interleaved run. */
export async function benchDashboard(): Promise<Target[]> {
  const browser = await openBrowser();
  try {
    const targets = await benchFirstLoad(browser);
    for (const slowdown of [1, 4]) targets.push(...(await benchGrid(browser, slowdown)));
    targets.push(...(await benchHour(browser)));
    return targets;
  } finally {
    await browser.close();
  }
}

async function benchGrid(browser: Browser, slowdown: number): Promise<Target[]> {
  console.log(`dashboard: the grid at 1280x800, CPU ${slowdown === 1 ? "as it is" : `${slowdown}x slower`}`);
  const perThousand = new Map<number, number[]>(SIZES.map((size) => [size, []]));
  const targets: Target[] = [];
  for (let round = 0; round < (slowdown === 1 ? ROUNDS : 1); round += 1) {
    for (const size of SIZES) {
      await using api = await SeededApi.start(size);
      const page = await DashboardPage.load(browser, api, slowdown);
      perThousand.get(size)?.push((await page.wheel(1500, 2500)).scriptMsPerThousandPixels);
      if (round === 0 && size > 1000) {
        targets.push(...(await measureOnce(page, size, slowdown)));
        if (slowdown === 1) await wheelStill(browser, api);
      }
      await page.close();
    }
  }
  for (const [size, values] of perThousand) reportSpread(`script, ${size} files`, values, "ms per 1,000 px");
  const ratio = (size: number) => median(perThousand.get(size) ?? []) / median(perThousand.get(1000) ?? []);
  if (slowdown === 1) {
    for (const size of [100_000, 1_000_000]) {
      targets.push(reportTarget({ name: `script, ${size} / 1000`, value: ratio(size), atMost: 1.3 }));
    }
  }
  return targets;
}

/** The same wheel over rows that no script builds: frames that are late here are the browser's or the machine's. */
async function wheelStill(browser: Browser, api: SeededApi): Promise<void> {
  const page = await DashboardPage.loadStill(browser, api);
  await wheel(page, FAST_SPEED, "without scripts");
  await page.close();
}

async function wheel(page: DashboardPage, speed: number, name = `wheel ${speed} px/s`): Promise<Frames> {
  const frames = await page.wheel(speed, 2500);
  const { p50, p95, slowPercent } = frames;
  console.log(
    `  ${name.padEnd(18)}  p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms; ${slowPercent.toFixed(1)} % over 34 ms`,
  );
  return frames;
}

/** The heap and the elements in an hour of work, against that of the first rounds. */
async function benchHour(browser: Browser): Promise<Target[]> {
  console.log(`dashboard: ${HOUR_ROUNDS} rounds of scrolling, opening, searching, marking and undoing, 100,000 files`);
  await using api = await SeededApi.start(100_000);
  const page = await DashboardPage.load(browser, api, 1);
  const [heaps, data]: [number[], number[]] = [[], []];
  for (let round = 1; round <= HOUR_ROUNDS; round += 1) {
    await page.workRound(round);
    if (round % LOOK_EVERY !== 0) continue;
    heaps.push(await page.heapMb());
    data.push(await page.dataMb());
  }
  await page.close();
  return [growth("heap", heaps, MAX_HOUR_RATIO), growth("data", data, MAX_DATA_RATIO)];
}

/** Prints a size of each tenth round in MB, and compares the last one with the warm one. */
function growth(name: string, mbs: readonly number[], atMost: number): Target {
  console.log(`  ${name}               ${mbs.map((mb) => mb.toFixed(2)).join("  ")} MB`);
  const warm = mbs[WARM_ROUNDS / LOOK_EVERY - 1] ?? Number.NaN;
  return reportTarget({ name: `${name}, end / warm`, value: (mbs.at(-1) ?? Number.NaN) / warm, atMost });
}

/** The measured table: loading, frames, the ruler, keys, the heap. */
async function measureOnce(page: DashboardPage, size: number, slowdown: number): Promise<Target[]> {
  console.log(`  ${size.toLocaleString("en")} files`);
  const { firstMs, largestMs } = await page.paints();
  reportFigure("first paint", firstMs, "ms");
  reportFigure("largest paint", largestMs, "ms");
  const before = await page.heapMb();
  const openMs = median(await page.open(STEPS));
  reportFigure("click to picture", openMs, "ms");
  await wheel(page, 1500);
  const fast = await wheel(page, FAST_SPEED);
  const ruler = await page.dragRuler(2000);
  reportFigure("ruler, p95 frame", ruler.p95, "ms");
  reportFigure("shown after release", ruler.shownMs, "ms");
  reportFigure("arrow key to paint", median(await page.keys("ArrowRight", STEPS)), "ms");
  reportFigure("Ctrl-A to paint", median(await page.selectAll(STEPS / 2)), "ms");
  await page.walk(40);
  const after = await page.heapMb();
  reportFigure("heap before", before, "MB");
  reportFigure("heap after", after, "MB");
  const elements = await page.elements();
  reportFigure("elements", elements, "");
  if (slowdown > 1) return [];
  return [
    reportTarget({ name: "heap, after / before", value: after / before, atMost: MAX_HEAP_RATIO }),
    reportTarget({ name: "click to picture", value: openMs, atMost: MAX_OPEN_MS, unit: "ms" }),
    reportTarget({ name: "wheel, p95 frame", value: fast.p95, atMost: MAX_FRAME_MS, unit: "ms" }),
    reportTarget({ name: "wheel, over 34 ms", value: fast.slowPercent, atMost: MAX_SLOW_PERCENT, unit: "%" }),
    reportTarget({ name: "elements", value: elements, atMost: 1500 }),
    reportTarget({ name: "lists in a drag", value: ruler.lists, atMost: 3 }),
    reportTarget({ name: "previews in a drag", value: ruler.previews / ruler.tiles, atMost: 1.3, unit: "a tile" }),
  ];
}
