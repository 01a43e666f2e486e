import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { packAll } from "../support/packages/pack-all.ts";
import { loadNextImage, loadNuxtImage } from "../support/recipes/image-libraries.ts";
import { installFrameworks } from "../support/recipes/install-frameworks.ts";
import { Site } from "../support/recipes/site.ts";
import { Stack } from "../support/stack/stack.ts";

// The recipes of docs/using, built from the code of their pages, with the real frameworks, against the real stack.

/** The tool that a recipe needs, how to see whether it is there, and Debian's packages with it. */
interface Tool {
  readonly command: readonly [string, ...string[]];
  readonly packages: string;
}
const PHP: Tool = {
  command: ["/usr/bin/php", "-r", "exit(function_exists('curl_init') ? 0 : 1);"],
  packages: "php-cli php-curl",
};
const DJANGO: Tool = {
  command: ["/usr/bin/python3", "-c", "import django, requests"],
  packages: "python3-django python3-requests",
};
const RECIPES: readonly [name: string, tool: Tool | "npm" | "none"][] = [
  ["plain-html", "none"],
  ["php", PHP],
  ["django", DJANGO],
  ["sveltekit", "npm"],
  ["astro", "npm"],
  ["nextjs", "npm"],
];
/** The used part of a browser's image. */
interface Image {
  readonly complete: boolean;
  readonly naturalWidth: number;
  readonly currentSrc: string;
  readonly srcset: string;
  readonly width: number;
  readonly height: number;
}

/** More than PHP, SvelteKit and Next.js take unless they are set up as the pages describe. */
const LARGE_BYTES = 2_200_000;

/** On a busy machine the frameworks take a minute to install, and Next.js one to build. */
const SET_UP_TIMEOUT_MS = 300_000;

let stack: Stack;
let browser: Browser;
let host: Client;
let key: string;
let folder: string;
let frameworks: string;
let tarballs: Record<string, string>;
let small: Buffer;
let large: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recipes-"));
  [stack, browser, frameworks, tarballs] = await Promise.all([
    Stack.start(),
    openBrowser(),
    installFrameworks(),
    packAll(folder),
  ]);
  const { pro, password } = await stack.demoAccounts();
  host = createClient({ baseUrl: stack.baseUrl });
  const { token } = await host.auth.logIn({ email: pro.email, password });
  host = createClient({ baseUrl: stack.baseUrl, key: token });
  await host.settings.update({ autoCompress: false });
  // The scopes that docs/using/recipes.md names.
  key = (await host.keys.create({ name: "Recipes", scopes: ["upload", "images:read"] })).key;
  const noise = (width: number, height: number) =>
    sharp({
      create: { width, height, channels: 3, background: "#7f7f7f", noise: { type: "gaussian", mean: 128, sigma: 60 } },
    });
  small = await noise(700, 500).jpeg({ quality: 40 }).toBuffer();
  large = await noise(1000, 800).png().toBuffer();
  expect(large.byteLength).toBeGreaterThan(LARGE_BYTES);
}, SET_UP_TIMEOUT_MS);
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function requireTool(tool: Tool): Promise<void> {
  const [command, ...args] = tool.command;
  await promisify(execFile)(command, args).catch(() => {
    throw new Error(`This test needs Debian's packages ${tool.packages}`);
  });
}

describe.each(RECIPES)("the recipe %s", (name, tool) => {
  let site: Site;
  let page: Page;
  const received: Promise<string>[] = [];

  beforeAll(async () => {
    if (typeof tool === "object") await requireTool(tool);
    site = await Site.start({
      page: `docs/using/${name}.md`,
      baseUrl: stack.baseUrl,
      key,
      tarballs,
      frameworks: tool === "npm" ? frameworks : undefined,
    });
    page = await (await browser.newContext({ viewport: { width: 600, height: 600 } })).newPage();
    page.on("response", (response) => {
      if (response.url().startsWith(site.url)) received.push(response.text().catch(() => ""));
    });
  }, SET_UP_TIMEOUT_MS);
  afterAll(async () => {
    await page?.context().close();
    await site?.[Symbol.asyncDispose]();
  });

  it("A visitor uploads from the page with a token, and the server shows the picture", async () => {
    await page.goto(site.url);
    const chooser = page.waitForEvent("filechooser");
    await page.locator("media-upload").getByRole("button").click();
    await (await chooser).setFiles({ name: `${name}.jpg`, mimeType: "image/jpeg", buffer: small });
    await expect.poll(() => page.locator("media-upload [part=status]").allTextContents()).toEqual(["Uploaded"]);
    const [made] = (await host.uploadTokens.list()).uploadTokens;
    expect(made).toMatchObject({ maxFiles: 1, usedFiles: 1, usedBytes: small.byteLength, types: ["image/*"] });
    await page.getByRole("button", { name: "Save" }).click();
    await expectPicture({ width: 700, height: 500 });
    // A small picture has its placeholder at once.
    const html = await (await fetch(page.url())).text();
    expect(html).toMatch(/background(-image)?: ?(#[0-9a-f]{6}|url\((&quot;)?data:image)/);
    await expectStored(`${name}.jpg`, small);
  });

  it("A file of some megabytes goes through the server", async () => {
    await page.goto(site.url);
    const file = { name: `${name}-large.png`, mimeType: "image/png", buffer: large };
    await page.locator("input[type=file][name=file]").setInputFiles(file);
    await page.getByRole("button", { name: "Send to the server" }).click();
    await expectPicture({ width: 1000, height: 800 });
    await expectStored(file.name, large);
  });

  it("A picture that does not exist is 404", async () => {
    const { pathname, search } = new URL(page.url());
    const path = `${pathname}${search}`.replace(/[0-9a-z]{26}$/, "01arz3ndektsv4rrffq69g5fav");
    expect((await fetch(`${site.url}${path}`)).status).toBe(404);
  });

  it("The site never sends the key", async () => {
    const texts = await Promise.all(received);
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.some((text) => text.startsWith("service_token_"))).toBe(true);
    expect(texts.filter((text) => text.includes(key))).toEqual([]);
  });

  /** The page shows the picture in a size for its window, and its candidates are what they claim to be. */
  async function expectPicture(size: { width: number; height: number }): Promise<void> {
    const read = () =>
      page.locator("img").evaluate((element: unknown) => {
        const { complete, naturalWidth, currentSrc, srcset, width, height } = element as Image;
        return { isLoaded: complete && naturalWidth > 0, currentSrc, srcset, ratio: width / height };
      });
    await expect.poll(read).toMatchObject({
      isLoaded: true,
      currentSrc: expect.stringMatching(/[?&]w=640\b/),
      ratio: expect.closeTo(size.width / size.height, 1),
    });
    const [smallest = ""] = (await read()).srcset.split(", ");
    const [url = "", descriptor] = smallest.split(" ");
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(`${(await sharp(await answer.arrayBuffer()).metadata()).width}w`).toBe(descriptor);
  }

  async function expectStored(originalFilename: string, content: Buffer): Promise<void> {
    const [newest] = (await host.imagePage({ q: originalFilename })).images;
    expect(newest?.originalFilename).toBe(originalFilename);
    const stored = await fetch(newest?.url ?? "");
    expect(Buffer.from(await stored.arrayBuffer()).equals(content)).toBe(true);
  }
});

describe("URLs of image libraries", () => {
  /** The width of the picture at `wide`. */
  const WIDTH = 1200;
  let wide: string;

  beforeAll(async () => {
    const bytes = await sharp({ create: { width: WIDTH, height: 800, channels: 3, background: "#3a7" } })
      .png()
      .toBuffer();
    ({ url: wide } = await host.upload(new File([new Uint8Array(bytes)], "wide.png")));
  });

  async function request(url: string) {
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get("X-Variant")], url).toEqual([200, null]);
    const { width, height, format } = await sharp(await answer.arrayBuffer()).metadata();
    return { width, height, format };
  }

  /** The widths in a `srcset`. Each picture has the width that its descriptor promises. */
  async function requestSrcset(srcset: string): Promise<number[]> {
    const candidates = srcset.split(", ").map((each) => each.split(" ") as [url: string, descriptor: string]);
    const found = await Promise.all(candidates.map(async ([url]) => (await request(url)).width));
    expect(found).toEqual(candidates.map(([, descriptor]) => Math.min(WIDTH, Number.parseInt(descriptor, 10))));
    return found;
  }

  it("The component `next/image` with its recipe for imgix gets pictures of the widths in its srcset", async () => {
    const nextImage = loadNextImage(frameworks);
    // The loader of Next's documentation.
    const loader = (image: { src: string; width: number; quality?: number }) => {
      const address = new URL(image.src);
      const params = address.searchParams;
      params.set("auto", params.getAll("auto").join(",") || "format");
      params.set("fit", params.get("fit") || "max");
      params.set("w", params.get("w") || image.width.toString());
      params.set("q", (image.quality || 50).toString());
      return address.href;
    };
    const fixed = nextImage({ src: wide, alt: "", width: 320, height: 213, loader });
    // `next/image` rounds 320 up to 384.
    const urls = (fixed.srcSet ?? "").split(", ").map((candidate) => candidate.split(" ")[0] ?? "");
    expect(await Promise.all(urls.map(async (url) => (await request(url)).width))).toEqual([384, 640]);
    const fluid = nextImage({ src: wide, alt: "", fill: true, sizes: "100vw", loader });
    expect(await requestSrcset(fluid.srcSet ?? "")).toEqual(expect.arrayContaining([640, 750, 828, 1080, WIDTH]));
  });

  it("Nuxt Image's imgix provider gets pictures of the widths in its srcset", async () => {
    const nuxtImage = await loadNuxtImage(frameworks);
    const fit = { width: 256, height: 128, fit: "cover", format: "webp" };
    expect(await request(nuxtImage(wide, fit))).toMatchObject({ width: 256, height: 128, format: "webp" });
    expect(await request(nuxtImage(wide, { ...fit, fit: "outside" }))).toMatchObject({ width: 256, height: 128 });
    const { srcset } = nuxtImage.getSizes(wide, { sizes: "sm:100vw md:50vw", modifiers: { quality: 70 } });
    expect((await requestSrcset(srcset)).length).toBeGreaterThan(3);
  });
});
