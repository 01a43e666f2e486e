import { type Browser, chromium, type Page } from "playwright-core";

/** What a browser makes of an image file. */
export interface Shown {
  /** As it lays the image out; 0 where it takes the file for no image. */
  readonly width: number;
  readonly height: number;
  /** Whether any pixel is painted. */
  readonly isPainted: boolean;
}

/** A real Chromium that says what it shows of image files. */
export class BrowserImages implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async start(): Promise<BrowserImages> {
    const browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
    });
    return new BrowserImages(browser, await browser.newPage());
  }

  /** @param type the file is served as; browsers look at its first bytes all the same */
  async show(type: string, file: Uint8Array): Promise<Shown> {
    return this.#page.evaluate(LOAD_AND_PAINT, { type, base64: Buffer.from(file).toString("base64") });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** Runs in the page: loads the file as an `img`, and paints its middle 2,000 pixels at most. */
const LOAD_AND_PAINT = new Function(
  "{ type, base64 }",
  `return (async () => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    const image = new Image();
    const loaded = new Promise((resolve) => { image.onload = image.onerror = resolve; });
    image.src = url;
    await loaded;
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
