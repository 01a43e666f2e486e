import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openFile } from "../../src/client/node.ts";
import type { UploadResult } from "../../src/client/types.ts";
import { formatBytes } from "../../src/dashboard/design/format.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage, type WatchedPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { endSessionAt, openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { makeMediaFiles } from "../support/media/media-files.ts";
import { Stack } from "../support/stack/stack.ts";

// The panel "Use this picture" and the presets in Settings (VAR-1, VAR-8, EDIT-4, SET-4).

/** A red sun in the upper left of a landscape. Nothing else is red. */
const SUN = { x: 0.2, y: 0.3 };
const SIZE = { width: 2400, height: 1600 };

let stack: Stack;
let browser: Browser;
let opened: WatchedPage;
let page: Page;
let client: Client;
let folder: string;
let photo: UploadResult;
let film: UploadResult;
let key: string;
let who: { readonly email: string; readonly password: string };

beforeAll(async () => {
  const [started, chromium, media] = await Promise.all([Stack.start(), openBrowser(), makeMediaFiles()]);
  [stack, browser, folder] = [started, chromium, media.folder];
  const { pro, password } = await stack.demoAccounts();
  key = pro.apiKey;
  client = createClient({ baseUrl: stack.baseUrl, key });
  const clip = media.files.find(({ mimeType }) => mimeType === "video/mp4");
  film = (await client.upload(await openFile(clip?.path ?? ""))) as UploadResult;
  photo = (await client.upload(
    new File([await drawLandscape()], "Sunset.jpg", { type: "image/jpeg" }),
  )) as UploadResult;
  opened = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  page = opened.page;
  who = { email: pro.email, password };
  await openDashboard(page, stack.baseUrl, who, `/library/${photo._id}`);
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

function drawLandscape(): Promise<Buffer> {
  const { width, height } = SIZE;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#2d4a7c"/><stop offset="1" stop-color="#c9d8ee"/></linearGradient>
      <filter id="noise"><feTurbulence baseFrequency="0.6"/><feColorMatrix type="saturate" values="0"/><feComponentTransfer><feFuncA type="linear" slope="0.12"/></feComponentTransfer></filter>
    </defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${SUN.x * width}" cy="${SUN.y * height}" r="150" fill="#e02010"/>
    <path d="M0 1200 L500 760 L900 1120 L1450 620 L2400 1240 V1600 H0 Z" fill="#3d5a53"/>
    <path d="M0 1380 L700 1060 L1300 1360 L1900 1010 L2400 1320 V1600 H0 Z" fill="#22382f"/>
    <rect width="100%" height="100%" filter="url(#noise)"/>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer();
}

const panel = () => page.getByRole("dialog", { name: /^Use / });
const tab = (name: string) => panel().getByRole("tab", { name, exact: true });
const code = (name: string) => panel().getByRole("region", { name, exact: true });
const result = () => panel().getByRole("status").filter({ hasText: "×" });
const point = () => panel().getByRole("button", { name: /^Focal point/ });
const copied = () => page.evaluate<string>("navigator.clipboard.readText()");

async function openPanel(): Promise<void> {
  await page.keyboard.press("u");
  await panel().waitFor();
}

async function closePanel(): Promise<void> {
  await page.keyboard.press("Escape");
  await panel().waitFor({ state: "detached" });
}

/** Takes screenshots at all four widths. */
async function shoot(name: string): Promise<void> {
  await takeScreenshots(page, name);
  const directory = process.env.SCREENSHOTS ?? ".wrangler/screenshots";
  await mkdir(directory, { recursive: true });
  for (const [width, height] of [
    [768, 1024],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(directory, `${name}-light-${width}.png`) });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** The picture of a URL, as a browser gets it. */
async function look(url: string) {
  const answer = await fetch(url, { headers: { Accept: "image/webp,*/*" } });
  expect(answer.status, url).toBe(200);
  const picture = sharp(Buffer.from(await answer.arrayBuffer()));
  const { width = 0, height = 0, format } = await picture.metadata();
  const { data } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  // The pixel is in the middle between left and right, at the sun's height.
  const at = 3 * (Math.floor(height * SUN.y) * width + Math.floor(width / 2));
  return { width, height, format, hasSunInTheMiddle: (data[at] ?? 0) > 150 && (data[at + 1] ?? 255) < 100 };
}

describe("Use this picture", () => {
  it("Settings explains presets while there is none", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/settings`);
    await page.getByText("No preset yet.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await shoot("settings-sizes-empty");
    await page.goto(`${stack.baseUrl}/dashboard/library/${photo._id}`);
  });

  it("U opens the panel, which shows the bytes of the real variant beside the file's", async () => {
    await page.getByRole("button", { name: "Use this picture" }).waitFor();
    await openPanel();
    await result()
      .getByText(/^1,280 × 853, AVIF$/)
      .waitFor();
    const answer = await fetch(`${photo.url}?w=1280&auto=format`, { headers: { Accept: "image/avif,image/webp" } });
    const bytes = (await answer.arrayBuffer()).byteLength;
    const share = Math.round((100 * bytes) / photo.fileSize);
    await result()
      .getByText(`${formatBytes(bytes)}${share} % of the file's ${formatBytes(photo.fileSize)}`)
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-first");
  });

  it("A click on the picture keeps the focal point with the file, and crops keep it", async () => {
    await panel().getByText("Cut to shape").click();
    await panel().getByText("1:1", { exact: true }).click();
    await panel().getByText("640", { exact: true }).click();
    const box = (await panel().getByRole("img", { name: "Sunset.jpg" }).boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    await page.mouse.click(box.x + SUN.x * box.width, box.y + SUN.y * box.height);
    await panel().getByText("Kept with the file: 20 % from the left, 30 % from the top").waitFor();
    await result()
      .getByText(/^640 × 640/)
      .waitFor();
    const { focalPoint } = await client.image(photo._id);
    expect(focalPoint?.x).toBeCloseTo(SUN.x, 2);
    expect(focalPoint?.y).toBeCloseTo(SUN.y, 2);
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-crop");

    await code("URL").getByText("fit=crop").waitFor();
    await panel().getByRole("button", { name: "Copy URL" }).click();
    const url = await copied();
    expect(url).toContain("crop=focalpoint");
    expect(await look(url)).toMatchObject({ width: 640, height: 640 });
    // A narrow crop has the picture's whole height, and the sun's tenth of its width.
    const narrow = url.replace("w=640&h=640", "w=160&h=640");
    expect(await look(narrow)).toMatchObject({ width: 160, height: 640, hasSunInTheMiddle: true });
    expect((await look(narrow.replace("crop=focalpoint", "crop=center"))).hasSunInTheMiddle).toBe(false);
  });

  it("Arrow keys move the focal point, and Control-Z in the file view takes the last move back", async () => {
    const before = (await client.image(photo._id)).focalPoint;
    await point().focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowDown");
    await panel().getByText("Kept with the file: 23 % from the left, 40 % from the top").waitFor();
    await expect.poll(async () => (await client.image(photo._id)).focalPoint?.y).toBeCloseTo(SUN.y + 0.1, 2);
    await closePanel();
    await page.keyboard.press("Control+z");
    await page.getByText("Undone").waitFor();
    expect((await client.image(photo._id)).focalPoint).toEqual(before);
    await openPanel();
  });

  it("A point that is moved after the session is over is kept after the log-in", async () => {
    await panel().getByText("Cut to shape").click();
    await endSessionAt(page, "PATCH");
    await point().focus();
    await page.keyboard.press("Shift+ArrowRight");
    const logIn = page.getByRole("dialog", { name: /log in/i });
    await logIn.waitFor();
    await shoot("sizes-session-over");
    await submitLogIn(page, who);
    await logIn.waitFor({ state: "detached" });
    await expect.poll(async () => (await client.image(photo._id)).focalPoint?.x).toBeCloseTo(SUN.x + 0.1, 2);
    await panel().getByText("Whole picture").click();
  });

  it("The picture before and after is compared in the size of the variant", async () => {
    await panel().getByText("JPEG", { exact: true }).click();
    const slider = panel().getByRole("slider", { name: "Quality" });
    await slider.focus();
    for (let press = 0; press < 11; press++) await page.keyboard.press("ArrowLeft");
    await result()
      .getByText(/^1,280 × 853, JPEG/)
      .waitFor();
    await panel().getByText("Before and after").click();
    const after = panel().getByRole("img", { name: "After" });
    await after.waitFor();
    const sizes = await page.evaluate(`Promise.all(
      ["Before", "After"].map(async (alt) => {
        const image = document.querySelector('img[alt="' + alt + '"]');
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      }),
    )`);
    expect(sizes).toEqual([
      [1280, 853],
      [1280, 853],
    ]);
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-compare");
    await panel().getByText("Picture", { exact: true }).click();
  });

  it("Each code shows the chosen picture, with the alt text of the file", async () => {
    await client.update(photo._id, { alt: 'A "red" sun' });
    await closePanel();
    await page.reload();
    await page.getByRole("button", { name: "Use this picture" }).click();
    await panel().getByText("640", { exact: true }).click();
    await tab("img").click();
    const html = (await code("img").textContent()) ?? "";
    expect(html).toContain('alt="A &#34;red&#34; sun"');
    expect(html).toContain('sizes="(min-width: 640px) 640px, 100vw"');
    expect(html).toContain('width="640" height="427"');
    const set = (/srcset="([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&#38;", "&");
    expect(set.split(", ").length).toBeGreaterThan(3);
    for (const candidate of set.split(", ")) {
      const [url = "", descriptor] = candidate.split(" ");
      expect(`${(await look(url)).width}w`).toBe(descriptor);
    }
    await tab("picture").click();
    expect(await code("picture").textContent()).toMatch(
      /<source type="image\/avif" srcset=".*<source type="image\/webp"/s,
    );
    await tab("Markdown").click();
    expect(await code("Markdown").textContent()).toMatch(/^!\[A "red" sun\]\(http.*w=640.*\)$/);
    await tab("unpic").click();
    expect(await code("unpic").textContent()).toContain('cdn="imgix"');
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-code");
  });

  it("A wrong number is explained at its field, and nothing is requested", async () => {
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("w=9999") && asked.push(request.url()));
    await panel().getByLabel("Width in pixels").fill("9999");
    await panel().getByText("A number from 1 to 8192").waitFor();
    expect(await panel().getByRole("tab").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    // A size is requested half a second after the last key.
    await page.waitForTimeout(1000);
    expect(asked).toEqual([]);
    await panel().getByLabel("Width in pixels").fill("500");
    await result()
      .getByText(/^512 × 341/)
      .waitFor();
    await result().getByText("The service rounds sizes up.").waitFor();
  });

  it("The panel reports a lost network, and the size follows when the network is back", async () => {
    await page.context().setOffline(true);
    await panel().getByText("960", { exact: true }).click();
    await result().getByText("Offline. This size is made when the network is back.").waitFor();
    await shoot("sizes-offline");
    await page.context().setOffline(false);
    await result()
      .getByText(/^960 × 640/)
      .waitFor();
  });

  it("The panel reports a 429, and the user tries again", async () => {
    await page.route("**/uploads/**", (route) =>
      route.fulfill({
        status: 429,
        headers: { "Access-Control-Allow-Origin": "*", "Retry-After": "1" },
        json: { error: "Too many requests", statusCode: 429, code: "rate_limited" },
      }),
    );
    await panel().getByText("1920", { exact: true }).click();
    await panel().getByText("This size could not be shown").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-failing");
    await page.unroute("**/uploads/**");
    await panel().getByRole("button", { name: "Retry" }).click();
    await result()
      .getByText(/^1,920 × 1,280/)
      .waitFor();
  });

  it("The choice is saved as a preset, with which URLs are made", async () => {
    await panel().getByText("320", { exact: true }).click();
    const save = panel().getByRole("button", { name: "Save as preset" });
    await save.click();
    const form = page.getByRole("dialog", { name: "New preset" });
    await form.getByLabel("Name").press("Escape");
    await form.waitFor({ state: "detached" });
    await save.click();
    await form.getByLabel("Name").fill("thumb");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await panel().getByLabel("Preset").selectOption("thumb");
    await tab("URL").click();
    await code("URL").getByText("?p=thumb").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await closePanel();
  });

  it("A private file's code is signed for a chosen time", async () => {
    await page.keyboard.press("p");
    await page.getByRole("button", { name: "Copy link" }).waitFor();
    await expect.poll(async () => (await client.image(photo._id)).visibility).toBe("private");
    await openPanel();
    await panel().getByText("This file is private.").waitFor();
    await panel().getByText("1 hour", { exact: true }).click();
    await code("URL").getByText("sig=").waitFor();
    const url = (await code("URL").textContent()) ?? "";
    expect(await look(url)).toMatchObject({ width: 1280, height: 853 });
    expect((await fetch(url.replace(/sig=[^&]*/, ""))).status).toBe(403);
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-private");
    await closePanel();
    await page.keyboard.press("p");
    await expect.poll(async () => (await client.image(photo._id)).visibility).toBe("public");
  });

  it("A video's poster is its thumbnail or another frame", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library/${film._id}`);
    await page.getByRole("button", { name: "Use a picture of it" }).click();
    await result()
      .getByText(/^320 × 240, (WebP|AVIF)/)
      .waitFor();
    await panel().getByText("Another frame").click();
    const second = panel().getByRole("slider", { name: "Second" });
    await second.focus();
    for (let press = 0; press < 10; press++) await page.keyboard.press("ArrowRight");
    await tab("video").click();
    await code("video").getByText("frame=1").waitFor();
    await result()
      .getByText(/^320 × 240, (WebP|AVIF)/)
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-video");
    await closePanel();
  });
});

describe("Presets in Settings", () => {
  const section = () => page.getByRole("region", { name: "Sizes" });
  const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });

  it("A preset is created, edited and deleted, and the API's messages stand at its fields", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/settings`);
    const row = (name: string) => section().getByRole("listitem").filter({ hasText: name });
    await row("thumb").waitFor();
    await section().getByRole("button", { name: "New preset" }).click();
    const form = dialog("New preset");
    await form.getByLabel("Name").fill("thumb");
    await form.getByText("A preset has this name").waitFor();
    await form.getByLabel("Name").fill("card");
    await form.getByLabel("Parameters").fill("w=zero&colour=red");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText(/w: Must be a number of pixels over 0.*colour: Is not a parameter of a preset/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await shoot("preset-form");
    await form.getByLabel("Parameters").fill("w=300&h=301&fit=crop");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    const sample = (await row("card").getByRole("link").getAttribute("href")) ?? "";
    await expect.poll(async () => (await fetch(sample)).status, { timeout: 90_000, interval: 2000 }).toBe(200);
    expect(await look(sample)).toMatchObject({ width: 300, height: 301 });

    await row("card").getByRole("button", { name: "Edit card" }).click();
    await dialog(/^Edit/).getByLabel("Parameters").fill("w=200&fm=webp");
    await dialog(/^Edit/).getByRole("button", { name: "Save" }).click();
    await row("card").getByText("fm=webp&w=200").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await shoot("settings-sizes");
    await row("thumb").getByRole("button", { name: "Delete thumb" }).click();
    await dialog(/^Delete/)
      .getByRole("button", { name: "Delete" })
      .click();
    await row("thumb").waitFor({ state: "detached" });
  });

  it("A preset that another tab or a program has added is shown when the user returns", async () => {
    const added = await fetch(`${stack.baseUrl}/settings/presets/other`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ parameters: "w=10" }),
    });
    expect(added.status).toBe(200);
    const row = section().getByRole("listitem").filter({ hasText: "other" });
    const comeBack = async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return row.count();
    };
    await expect.poll(comeBack, { timeout: 60_000, interval: 1000 }).toBe(1);
  });

  it("The panel follows the setting: only presets, signed sizes, none", async () => {
    const setMode = async (title: string) => {
      await page.goto(`${stack.baseUrl}/dashboard/settings`);
      await section().getByLabel("Served sizes").selectOption({ label: title });
      await section().getByRole("button", { name: "Save" }).click();
      await section().getByText("Not saved").waitFor({ state: "detached" });
      await page.goto(`${stack.baseUrl}/dashboard/library/${photo._id}`);
      await page.getByRole("button", { name: "Use this picture" }).click();
    };
    await setMode("Presets and signed sizes");
    await panel().getByText("Your settings serve presets and signed sizes only.").waitFor();
    await code("URL").getByText("?p=card").waitFor();
    await expect.poll(() => result().textContent(), { timeout: 90_000 }).toMatch(/200 × 133, WebP/);
    expect(await panel().getByLabel("Width in pixels").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-presets-only");

    await setMode("Signed sizes only");
    await panel().getByText("Your server signs the URL with a signing key.").waitFor();
    expect(await code("code of your server").textContent()).toContain("await signUrl(url, process.env.SIGNING_KEY)");
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-signed");

    await setMode("No sizes");
    await panel().getByText("Your settings serve no sizes, only the file itself.").waitFor();
    expect(await panel().getByRole("tab").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await shoot("sizes-off");
  });

  it("The panel and the presets cause no error in the browser", () => {
    // A request without a network fails on purpose.
    expect(opened.problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem))).toEqual([]);
  });
});
