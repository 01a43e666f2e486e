import type { Browser, Page } from "playwright-core";
import type { Pixels } from "../../../src/media/webp/webp-engine.ts";
import { openBrowser } from "../browser/chromium.ts";

/** A browser's result for an image file. */
export interface Shown {
  /** The laid-out width; 0 if the browser does not take the file for an image. */
  readonly width: number;
  readonly height: number;
  /** Whether any pixel is painted. */
  readonly isPainted: boolean;
}

/** A real Chromium that shows image files. */
export class BrowserImages implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async start(): Promise<BrowserImages> {
    const browser = await openBrowser();
    return new BrowserImages(browser, await browser.newPage());
  }

  /** @param type the file is served as; browsers look at its first bytes too */
  async show(type: string, file: Uint8Array): Promise<Shown> {
    return this.#page.evaluate(LOAD_AND_PAINT, { type, base64: Buffer.from(file).toString("base64") });
  }

  /** All painted pixels of an image: RGBA, 8 bits each, not premultiplied. Undefined if the browser does not take the file for an image. */
  async paint(type: string, file: Uint8Array): Promise<Pixels | undefined> {
    const painted = await this.#page.evaluate(PAINT_ALL, { type, base64: Buffer.from(file).toString("base64") });
    if (painted.width === 0) return undefined;
    return { ...painted, data: Buffer.from(painted.base64, "base64") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** A part of the script in the page: loads the file as an `img`. */
const LOAD = `
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    const image = new Image();
    const loaded = new Promise((resolve) => { image.onload = image.onerror = resolve; });
    image.src = url;
    await loaded;`;

/** Runs in the page: paints the first 2,000 columns and lines at most. */
const LOAD_AND_PAINT = new Function(
  "{ type, base64 }",
  `return (async () => {${LOAD}
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    const canvas = document.createElement("canvas");
    canvas.width = Math.min(2000, Math.max(1, width));
    canvas.height = Math.min(2000, Math.max(1, height));
    const context = canvas.getContext("2d");
    let isPainted = false;
    try {
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      isPainted = data.some((value) => value !== 0);
    } catch {}
    URL.revokeObjectURL(url);
    return { width, height, isPainted };
  })()`,
) as (file: { type: string; base64: string }) => Promise<Shown>;

/** Runs in the page: paints small images. */
const PAINT_ALL = new Function(
  "{ type, base64 }",
  `return (async () => {${LOAD}
    const canvas = document.createElement("canvas");
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    if (width === 0) return { width, height, base64: "" };
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    try { context.drawImage(image, 0, 0); } catch {}
    URL.revokeObjectURL(url);
    const { data } = context.getImageData(0, 0, width, height);
    return { width, height, base64: btoa(Array.from(data, (value) => String.fromCharCode(value)).join("")) };
  })()`,
) as (file: { type: string; base64: string }) => Promise<{ width: number; height: number; base64: string }>;
