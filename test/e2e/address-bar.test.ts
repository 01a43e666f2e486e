import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";
import type { UploadResult } from "../support/uploads/upload-result.ts";

// A file that is opened by its URL is visible under its content security policy (FILE-5).

const SECONDS = 20;

/** The page's types are not known here. */
const VIDEO = 'document.querySelector("video")';

interface VideoState {
  readonly currentTime: number;
  readonly readyState: number;
  readonly duration: number;
  readonly videoWidth: number;
  readonly error: string | null;
}

let stack: Stack;
let browser: Browser;
let folder: string;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "address-bar-"));
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  key = (await stack.demoAccounts()).pro.apiKey;
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Makes a file with ffmpeg and uploads it. @returns its URL */
async function upload(name: string, source: string, ...args: string[]): Promise<string> {
  const path = join(folder, name);
  await promisify(execFile)("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", source, ...args, path]);
  const answer = await curl(
    "-H",
    `Authorization: Bearer ${key}`,
    "-F",
    `file=@${path}`,
    `${stack.baseUrl}/images/upload`,
  );
  expect(answer.status).toBe(201);
  return (JSON.parse(answer.body.toString()) as UploadResult).url;
}

/** Opens a URL as the address bar does. @returns the page, and the browser's error messages */
async function open(url: string): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
  page.on("pageerror", (error) => problems.push(error.message));
  const response = await page.goto(url);
  expect(response?.status()).toBeLessThan(300);
  return { page, problems };
}

describe("videos opened by their URL", () => {
  it.each([
    ["film.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "10", "-movflags", "+faststart"]],
    ["film.webm", ["-c:v", "libvpx", "-b:v", "1M", "-g", "10", "-deadline", "realtime", "-cpu-used", "8"]],
  ])("A video that is opened by its URL plays and can be seeked (%s)", async (name, args) => {
    const url = await upload(name, `testsrc2=size=160x120:rate=10:duration=${SECONDS}`, ...args);
    const { page, problems } = await open(url);
    await page.locator("video").waitFor({ state: "attached" });
    await page.evaluate(`${VIDEO}.muted = true; ${VIDEO}.play()`);
    const state = () =>
      page.evaluate<VideoState>(`(({ currentTime, readyState, duration, videoWidth, error }) =>
      ({ currentTime, readyState, duration, videoWidth, error: error?.message ?? null }))(${VIDEO})`);
    await expect.poll(async () => (await state()).currentTime, { timeout: 15_000 }).toBeGreaterThan(0.5);
    expect(await state()).toMatchObject({ videoWidth: 160, error: null });
    expect((await state()).duration).toBeCloseTo(SECONDS, 0);
    await page.evaluate(`new Promise((resolve) => {
      ${VIDEO}.addEventListener("seeked", resolve, { once: true });
      ${VIDEO}.currentTime = 15;
    }).then(() => undefined)`);
    const wound = await state();
    expect(wound.currentTime).toBeGreaterThanOrEqual(15);
    expect(wound.readyState).toBeGreaterThanOrEqual(2);
    await expect.poll(async () => (await state()).currentTime, { timeout: 15_000 }).toBeGreaterThan(15.3);
    expect(problems.filter((problem) => /Content Security Policy/i.test(problem))).toEqual([]);
    await page.close();
  });
});

describe("images opened by their URL", () => {
  it.each(["photo.jpg", "drawing.png", "photo.webp", "drawing.gif"])(
    "An image that is opened by its URL is visible (%s)",
    async (name) => {
      const url = await upload(name, "testsrc2=size=320x240:rate=1:duration=1", "-frames:v", "1");
      const { page, problems } = await open(url);
      const size = await page.evaluate(`(async (image) => {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight, image.getBoundingClientRect().width > 0];
    })(document.querySelector("img"))`);
      expect(size).toEqual([320, 240, true]);
      expect(problems.filter((problem) => /Content Security Policy/i.test(problem))).toEqual([]);
      await page.close();
    },
  );
});
