import { readFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MediaFile, makeMediaFiles } from "../support/media/media-files.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";
import type { UploadResult } from "../support/uploads/upload-result.ts";

let stack: Stack;
let media: { folder: string; files: MediaFile[] };
let key: string;

beforeAll(async () => {
  [stack, media] = await Promise.all([Stack.start(), makeMediaFiles()]);
  key = (await stack.demoAccounts()).pro.apiKey;
  // The demo accounts compress by default; here every byte must come back.
  const settings = JSON.stringify({ autoCompress: false });
  await curl(...auth(), "-X", "PATCH", "--json", settings, `${stack.baseUrl}/settings`);
});

afterAll(async () => {
  await stack?.dispose();
  if (media !== undefined) await rm(media.folder, { recursive: true });
});

const auth = () => ["-H", `Authorization: Bearer ${key}`];

async function upload(...files: MediaFile[]) {
  return curl(...auth(), ...files.flatMap(({ path }) => ["-F", `file=@${path}`]), `${stack.baseUrl}/images/upload`);
}

async function storageUsed(): Promise<number> {
  return Number((await curl(...auth(), `${stack.baseUrl}/images?limit=1`)).headers.get("x-storage-used"));
}

/** The number of videos that have no thumbnail yet. */
async function thumbnailsToCome(): Promise<number> {
  const { images } = (await curl(...auth(), `${stack.baseUrl}/images?limit=100`)).json<{ images: UploadResult[] }>();
  const thumbnails = images.flatMap(({ thumbnailUrl }) => thumbnailUrl ?? []);
  const answers = await Promise.all(thumbnails.map((url) => curl("-I", url)));
  return answers.filter(({ status }) => status !== 200).length;
}

async function expectStored(result: UploadResult, file: MediaFile): Promise<void> {
  const bytes = await readFile(file.path);
  expect(result).toMatchObject({
    originalFilename: basename(file.path),
    mimeType: file.mimeType,
    fileSize: bytes.length,
    originalFileSize: bytes.length,
    compressed: false,
    size: { width: file.width, height: file.height },
  });
  expect(result.url).toBe(`${stack.baseUrl}/${result.filename}`);
  expect(result.filename).toMatch(new RegExp(`^uploads/[0-9a-z]{26}/${result._id}-${basename(file.path)}$`));
  expect("thumbnailUrl" in result).toBe(file.mimeType.startsWith("video/"));

  const whole = await curl(result.url);
  expect(whole.status).toBe(200);
  expect(whole.headers.get("content-type")).toBe(file.mimeType);
  expect(whole.body.equals(bytes)).toBe(true);

  const middle = Math.floor(bytes.length / 2);
  for (const [range, from, to] of [
    ["0-0", 0, 0],
    [`10-${middle}`, 10, middle],
    [`${middle}-`, middle, bytes.length - 1],
    ["-17", bytes.length - 17, bytes.length - 1],
  ] as const) {
    const part = await curl("-r", range, result.url);
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes ${from}-${to}/${bytes.length}`);
    expect(part.headers.get("content-length")).toBe(String(to - from + 1));
    expect(part.body.equals(bytes.subarray(from, to + 1))).toBe(true);
  }
}

describe("real files with curl", () => {
  it("Real files are stored one by one and read back byte for byte, whole and by ranges", async () => {
    for (const file of media.files) {
      const answer = await upload(file);
      expect(answer.status).toBe(201);
      await expectStored(answer.json<UploadResult>(), file);
    }
  });

  it("Real files are stored as a batch in the given order", async () => {
    const answer = await upload(...media.files);
    expect(answer.status).toBe(201);
    const { uploaded, failed } = answer.json<{ uploaded: UploadResult[]; failed: unknown[] }>();
    expect(failed).toEqual([]);
    expect(uploaded).toHaveLength(media.files.length);
    for (const [i, file] of media.files.entries()) await expectStored(uploaded[i] as UploadResult, file);
  });

  it("A file's URL stops working and its storage is free as soon as its deletion is answered", async () => {
    // Thumbnails of the videos before count as storage when they arrive.
    await expect.poll(thumbnailsToCome, { timeout: 30_000, interval: 500 }).toBe(0);
    const before = await storageUsed();
    const { _id, url, fileSize } = (await upload(media.files[0] as MediaFile)).json<UploadResult>();
    expect(await storageUsed()).toBe(before + fileSize);
    expect((await curl("-X", "DELETE", ...auth(), `${stack.baseUrl}/images/${_id}`)).status).toBe(200);
    const gone = await curl(url);
    expect(gone.status).toBe(404);
    expect(gone.headers.get("cache-control")).toBe("no-store");
    expect(await storageUsed()).toBe(before);
  });

  it("A view of a file is counted; later ranges of a seeking player are not", async () => {
    const video = media.files.find(({ mimeType }) => mimeType === "video/mp4") as MediaFile;
    const { url } = (await upload(video)).json<UploadResult>();
    const operations = async () =>
      Number((await curl(...auth(), `${stack.baseUrl}/images?limit=1`)).headers.get("x-operations-used"));
    // Views of earlier tests are still in their journals and the queue.
    let settled = await operations();
    for (let last = -1; last !== settled; settled = await operations()) {
      last = settled;
      await new Promise((resolve) => setTimeout(resolve, 5000));
    }
    for (let view = 0; view < 3; view++) await curl(url);
    await curl("-r", "0-99", url);
    await curl("-r", "100-199", url);
    await curl("-I", url);
    await expect.poll(operations, { timeout: 20_000, interval: 500 }).toBeCloseTo(settled + 0.4, 5);
  });
});
