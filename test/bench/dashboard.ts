import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser/chromium.ts";
import { SeededApi, STATIC_TILES } from "../support/dashboard/seeded-api.ts";
import { DashboardPage, mainThreadMs } from "./dashboard/dashboard-page.ts";
import { reportFigure, reportRatio, reportSpread, reportTarget, type Target } from "./support/report.ts";
import { measureInTurn, median } from "./support/rounds.ts";

const SIZES = [1000, 100_000, 1_000_000];
const ROUNDS = 5;
const STEPS = 20;
/** A heap that grows with the visited part of the library would far exceed this. */
const MAX_HEAP_RATIO = 2;

/** A first load, then the grid in Chromium with a seeded API: 100,000 and a million files against a thousand, in one interleaved run. */
export async function benchDashboard(): Promise<Target[]> {
  const browser = await openBrowser();
  try {
    const targets = [await benchLoad(browser)];
    for (const slowdown of [1, 4]) targets.push(...(await benchGrid(browser, slowdown)));
    return targets;
  } finally {
    await browser.close();
  }
}

/** The main thread's cost of a first load, beside a page that shows the same pictures without scripts. */
async function benchLoad(browser: Browser): Promise<Target> {
  console.log("dashboard: the main thread in a first load, against a static page with the same tiles");
  await using api = await SeededApi.start(100_000);
  const pairs = await measureInTurn(ROUNDS, {
    product: () => mainThreadMs(browser, `${api.url}/dashboard/library`, STATIC_TILES),
    bare: () => mainThreadMs(browser, `${api.url}/static`, STATIC_TILES),
  });
  return reportRatio("ms", pairs, { atMost: 4 });
}

async function benchGrid(browser: Browser, slowdown: number): Promise<Target[]> {
  console.log(`dashboard: the grid at 1280x800, CPU ${slowdown === 1 ? "as it is" : `${slowdown}x slower`}`);
  const perThousand = new Map<number, number[]>(SIZES.map((size) => [size, []]));
  const targets: Target[] = [];
  for (let round = 0; round < (slowdown === 1 ? ROUNDS : 1); round += 1) {
    for (const size of SIZES) {
      await using api = await SeededApi.start(size);
      const page = await DashboardPage.open(browser, api, slowdown);
      perThousand.get(size)?.push((await page.wheel(1500, 2500)).scriptMsPerThousandPixels);
      if (round === 0 && size > 1000) targets.push(...(await measureOnce(page, size, slowdown)));
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

/** The measured table: loading, frames, the ruler, keys, the heap. */
async function measureOnce(page: DashboardPage, size: number, slowdown: number): Promise<Target[]> {
  console.log(`  ${size.toLocaleString("en")} files`);
  const { firstMs, largestMs } = await page.paints();
  reportFigure("first paint", firstMs, "ms");
  reportFigure("largest paint", largestMs, "ms");
  const before = await page.heapMb();
  for (const speed of [1500, 5000]) {
    const { p50, p95, slowPercent } = await page.wheel(speed, 2500);
    console.log(
      `  wheel ${speed} px/s      p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms; ${slowPercent.toFixed(1)} % over 34 ms`,
    );
  }
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
    reportTarget({ name: "elements", value: elements, atMost: 1500 }),
    reportTarget({ name: "lists in a drag", value: ruler.lists, atMost: 3 }),
    reportTarget({ name: "previews in a drag", value: ruler.previews / ruler.tiles, atMost: 1.3, unit: "a tile" }),
  ];
}
