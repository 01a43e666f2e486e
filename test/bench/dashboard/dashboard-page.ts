import type { Browser, CDPSession, Page } from "playwright-core";
import { openPage } from "../../support/dashboard/browser.ts";
import type { SeededApi } from "../../support/dashboard/seeded-api.ts";

const SCROLLER = '[role="grid"] [data-ground]';
const RULER = '[role="slider"][aria-label="Timeline"]';
/** Toasts are dialogs, too, but have their titles as names. */
const FILE_VIEW = '[role="dialog"][aria-label]';
/** A wheel at 5,000 px a second passes 65 rows in the time of a measurement. */
const STILL_ROWS = 90;
/** Types of a heap snapshot that are not data of the page: V8's compiled code, and memory outside V8's heap. */
const NOT_DATA = ["code", "native"];
/** The longest frame that a user does not notice. */
const SLOW_MS = 34;

export interface Frames {
  readonly p50: number;
  readonly p95: number;
  readonly slowPercent: number;
}

/** The used parts of V8's format. `nodes` has the values of all fields of the first node, then the second, and so on. */
interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
}

/** The dashboard in Chromium, and its measurements. */
export class DashboardPage {
  readonly #page: Page;
  readonly #devtools: CDPSession;
  readonly #api: SeededApi;

  private constructor(page: Page, devtools: CDPSession, api: SeededApi) {
    this.#page = page;
    this.#devtools = devtools;
    this.#api = api;
  }

  /** @param slowdown the factor by which the CPU is slowed down */
  static async load(browser: Browser, api: SeededApi, slowdown: number): Promise<DashboardPage> {
    const { page } = await openPage(browser);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.goto(`${api.url}/dashboard/library`);
    await page.locator('[data-position="0"] img[data-state="shown"]').waitFor();
    await page.waitForTimeout(500);
    await page.evaluate(RECORDER);
    return new DashboardPage(page, devtools, api);
  }

  /** A page without scripts that has the library's rows in its document and has loaded their pictures: the least work for the same content. */
  static async loadStill(browser: Browser, api: SeededApi): Promise<DashboardPage> {
    const library = await DashboardPage.load(browser, api, 1);
    const page = library.#page;
    // Rows beyond the visible ones are built when the page is idle.
    await page.waitForTimeout(1000);
    const body = await page.evaluate<string>(STILL);
    const address = `${api.url}/dashboard/still`;
    await page.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(address);
    await page.waitForFunction("[...document.images].every(({ complete }) => complete)");
    await page.evaluate(RECORDER);
    return library;
  }

  close(): Promise<void> {
    return this.#page.context().close();
  }

  async paints(): Promise<{ firstMs: number; largestMs: number }> {
    return this.#page.evaluate(`new Promise((resolve) => {
      const first = performance.getEntriesByName("first-contentful-paint")[0];
      new PerformanceObserver((list) => {
        resolve({ firstMs: first?.startTime ?? NaN, largestMs: list.getEntries().at(-1).startTime });
      }).observe({ type: "largest-contentful-paint", buffered: true });
    })`);
  }

  /** Scrolls by wheel, as a user turns it. @param speed pixels a second */
  async wheel(speed: number, ms: number): Promise<Frames & { readonly scriptMsPerThousandPixels: number }> {
    const box = await this.#page.locator(SCROLLER).first().boundingBox();
    if (box === null) throw new Error("There is no grid");
    const before = await this.#scriptSeconds();
    await this.#page.evaluate("recorded.start()");
    const begun = performance.now();
    let sent = 0;
    while (performance.now() - begun < ms) {
      const due = ((performance.now() - begun) / 1000) * speed - sent;
      sent += due;
      await this.#devtools.send("Input.dispatchMouseEvent", {
        type: "mouseWheel",
        x: box.x + 300,
        y: box.y + 300,
        deltaX: 0,
        deltaY: due,
      });
      await new Promise((resolve) => setTimeout(resolve, 16));
    }
    const frames = await this.#page.evaluate<number[]>("recorded.stop()");
    const script = (await this.#scriptSeconds()) - before;
    return { ...toFrames(frames), scriptMsPerThousandPixels: (script * 1000) / (sent / 1000) };
  }

  /** Drags the ruler from end to end and releases it. */
  async dragRuler(ms: number) {
    const box = await this.#page.locator(RULER).boundingBox();
    if (box === null) throw new Error("There is no ruler");
    const { mouse } = this.#page;
    // The last visible files have been requested.
    await this.#page.waitForTimeout(1000);
    const counts = () => [this.#api.requests.get("images") ?? 0, this.#api.requests.get("previews") ?? 0] as const;
    await mouse.move(box.x + 40, box.y + 4);
    await mouse.down();
    const before = counts();
    await this.#page.evaluate("recorded.start()");
    const steps = Math.round(ms / 16);
    for (let step = 1; step <= steps; step += 1) {
      await mouse.move(box.x + 40, box.y + 4 + ((box.height * 0.9) / steps) * step);
    }
    const frames = await this.#page.evaluate<number[]>("recorded.stop()");
    await mouse.up();
    const shownMs = await this.#page.evaluate<number>("whenShown()");
    await this.#page.waitForTimeout(500);
    const after = counts();
    const tiles = await this.#page.locator("[data-position]").count();
    return {
      ...toFrames(frames),
      shownMs,
      tiles,
      lists: after[0] - before[0],
      previews: after[1] - before[1],
    };
  }

  /** @returns from each key to its paint, in ms */
  async keys(key: string, times: number): Promise<number[]> {
    await this.#page.locator('[data-position][tabindex="0"]').first().focus();
    const ms: number[] = [];
    for (let time = 0; time < times; time += 1) {
      await this.#page.evaluate("void (painted = nextPaint())");
      await this.#page.keyboard.press(key);
      ms.push(await this.#page.evaluate<number>("painted"));
      await this.#page.waitForTimeout(30);
    }
    return ms;
  }

  async selectAll(times: number): Promise<number[]> {
    const ms: number[] = [];
    for (let time = 0; time < times; time += 1) {
      ms.push(...(await this.keys("Control+a", 1)));
      await this.#page.keyboard.press("Escape");
    }
    return ms;
  }

  /** Opens the first files by a click and closes them. @returns from each click to the picture's paint, in ms */
  async open(times: number): Promise<number[]> {
    const ms: number[] = [];
    await this.#page.evaluate(`document.querySelector('${SCROLLER}').scrollTop = 0`);
    for (let position = 0; position < times; position += 1) {
      await this.#page.locator(`[data-position="${position}"] img[data-state="shown"]`).waitFor();
      await this.#page.evaluate("void (painted = openedPicture())");
      await this.#page.locator(`[data-position="${position}"] img`).click();
      ms.push(await this.#page.evaluate<number>("painted"));
      await this.#page.keyboard.press("Escape");
      await this.#page.locator(FILE_VIEW).waitFor({ state: "detached" });
    }
    return ms;
  }

  /** Goes through the whole library in strides, and waits for the files there. */
  async walk(strides: number): Promise<void> {
    for (let stride = 0; stride <= strides; stride += 1) {
      await this.#page.evaluate(`(() => {
        const scroller = document.querySelector('${SCROLLER}');
        scroller.scrollTop = ((scroller.scrollHeight - scroller.clientHeight) / ${strides}) * ${stride};
      })()`);
      await this.#page.waitForTimeout(250);
    }
  }

  /** Does once what users repeat: scrolls to a month, opens and steps through files, searches, marks a file and undoes it, changes the view. */
  async workRound(round: number): Promise<void> {
    const page = this.#page;
    const { keyboard } = page;
    await page.evaluate(`document.querySelector('${SCROLLER}').scrollTop = ${(round % 20) * 4000}`);
    await page.evaluate("whenShown()");
    await page.locator('[data-position] img[data-state="shown"]').nth(6).click();
    for (let step = 0; step < 5; step += 1) {
      await keyboard.press("ArrowRight");
      await page.waitForTimeout(100);
    }
    await keyboard.press("Escape");
    await page.locator(FILE_VIEW).waitFor({ state: "detached" });
    await keyboard.press("f");
    await page.waitForTimeout(100);
    await keyboard.press("Control+z");
    await page.getByRole("searchbox").fill(`IMG_${round}`);
    await page.waitForTimeout(500);
    await page.getByRole("searchbox").fill("");
    await page.waitForTimeout(500);
    await page.evaluate("document.activeElement.blur()");
    for (const _ of ["table", "grid"]) {
      await keyboard.press("v");
      await page.waitForTimeout(200);
    }
  }

  async heapMb(): Promise<number> {
    await this.#devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await this.#devtools.send("Runtime.getHeapUsage");
    return usedSize / 1024 ** 2;
  }

  /** @returns the part of the heap that is not compiled code, in MB */
  async dataMb(): Promise<number> {
    const pieces: string[] = [];
    const take = ({ chunk }: { chunk: string }) => pieces.push(chunk);
    this.#devtools.on("HeapProfiler.addHeapSnapshotChunk", take);
    await this.#devtools.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    this.#devtools.off("HeapProfiler.addHeapSnapshotChunk", take);
    const { snapshot, nodes }: HeapSnapshot = JSON.parse(pieces.join(""));
    const { node_fields: fields, node_types: types } = snapshot.meta;
    const [type, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
    let bytes = 0;
    for (let at = 0; at < nodes.length; at += fields.length) {
      if (!NOT_DATA.includes(types[0][nodes[at + type] as number] as string)) bytes += nodes[at + size] as number;
    }
    return bytes / 1024 ** 2;
  }

  elements(): Promise<number> {
    return this.#page.locator("*").count();
  }

  async #scriptSeconds(): Promise<number> {
    const { metrics } = await this.#devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "ScriptDuration")?.value ?? Number.NaN;
  }
}

function toFrames(frames: readonly number[]): Frames {
  const sorted = [...frames].sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  const slow = frames.filter((ms) => ms > SLOW_MS).length;
  return { p50: at(0.5), p95: at(0.95), slowPercent: (slow / Math.max(1, frames.length)) * 100 };
}

/** Runs in the library. @returns the HTML of the page without scripts */
const STILL = `(() => {
  const page = document.documentElement.cloneNode(true);
  for (const each of page.querySelectorAll("script, link[rel=modulepreload]")) each.remove();
  const spacer = page.querySelector('${SCROLLER}').firstElementChild;
  const rows = [...spacer.querySelectorAll("[aria-rowindex]")];
  const topOf = (row) => Number.parseFloat(row.style.transform.slice("translateY(".length));
  const [top, next] = rows.map(topOf);
  let number = 0;
  spacer.replaceChildren(...Array.from({ length: ${STILL_ROWS} }, (_, at) => {
    const row = rows[at % rows.length].cloneNode(true);
    Object.assign(row.style, { transform: "translateY(" + (top + at * (next - top)) + "px)", willChange: "auto" });
    for (const image of row.querySelectorAll("img")) {
      image.src = "/previews/" + number++;
      image.dataset.state = "shown";
    }
    return row;
  }));
  return "<!doctype html>" + page.outerHTML;
})()`;

/** Runs in the page. */
const RECORDER = `(() => {
  let times = [];
  let handle = 0;
  window.recorded = {
    start() {
      times = [];
      let last = performance.now();
      const frame = (now) => { times.push(now - last); last = now; handle = requestAnimationFrame(frame); };
      handle = requestAnimationFrame((now) => { last = now; handle = requestAnimationFrame(frame); });
    },
    stop() { cancelAnimationFrame(handle); return times; },
  };
  window.nextPaint = () => new Promise((resolve) => {
    addEventListener("keydown", ({ timeStamp }) => {
      requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - timeStamp); port2.postMessage(0); });
    }, { once: true, capture: true });
  });
  window.openedPicture = () => new Promise((resolve) => {
    addEventListener("click", ({ timeStamp }) => {
      const look = () => {
        const picture = document.querySelector('${FILE_VIEW} img');
        if (!picture?.complete || !picture.naturalWidth) return requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - timeStamp);
        port2.postMessage(0);
      };
      requestAnimationFrame(look);
    }, { once: true, capture: true });
  });
  window.whenShown = () => { const begun = performance.now(); return new Promise((resolve) => {
    const look = () => {
      const view = document.querySelector('[role="grid"] [data-ground]').getBoundingClientRect();
      const seen = [...document.querySelectorAll("[data-position]")].filter((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return bottom > view.top && top < view.bottom;
      });
      const isShown = seen.length > 0 && seen.every((tile) => tile.querySelector('img[data-state="shown"]'));
      if (isShown || performance.now() - begun > 10000) resolve(performance.now() - begun);
      else requestAnimationFrame(look);
    };
    look();
  }); };
})()`;
