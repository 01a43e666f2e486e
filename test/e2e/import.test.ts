import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMediaFiles } from "../support/media/media-files.ts";
import { mp4, png } from "../support/media/samples.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";
import { storedObjects } from "../support/uploads/stored-objects.ts";

const FILM = mp4(40 * 1024 ** 2);
const PICTURES = 30;

interface Shown {
  readonly endedAt: string | null;
  readonly counts: Record<string, number>;
  readonly items: { readonly state: string; readonly uploadId: string | null }[];
}

let stack: Stack;
let source: Server;
let key: string;
let requestedRanges: string[] = [];
/** Files by their path. */
const media = new Map<string, Buffer>();

/** A server of media files, of pictures, and of one film, which it sends slowly and in ranges. */
function serve(): Server {
  return createServer(async ({ url = "/", headers }, response) => {
    const file = media.get(url);
    if (file !== undefined) return void response.writeHead(200, { "Content-Length": file.length }).end(file);
    if (url !== "/film.mp4") {
      const bytes = png(1, 1, 2000 + Number(/\d+/.exec(url)?.[0] ?? 0));
      await new Promise((resolve) => setTimeout(resolve, 50));
      return void response.writeHead(200, { "Content-Length": bytes.length }).end(bytes);
    }
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
    if (headers.range !== undefined) requestedRanges.push(headers.range);
    response.writeHead(start > 0 ? 206 : 200, {
      "Accept-Ranges": "bytes",
      ETag: '"one"',
      "Content-Length": FILM.length - start,
      ...(start > 0 && { "Content-Range": `bytes ${start}-${FILM.length - 1}/${FILM.length}` }),
    });
    for (let at = start; at < FILM.length && !response.destroyed; at += 256 * 1024) {
      response.write(FILM.subarray(at, at + 256 * 1024));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    response.end();
  });
}

beforeAll(async () => {
  source = serve().listen(0, "127.0.0.1");
  await once(source, "listening");
  stack = await Stack.start({ INTENT_TIMEOUT_SECONDS: "4", WEBHOOK_ALLOW_PRIVATE: "true" });
  const { pro } = await stack.demoAccounts();
  key = pro.apiKey;
  await stack.admin("set-tier", pro.email, "business");
});

afterAll(async () => {
  source?.closeAllConnections();
  source?.close();
  await stack?.dispose();
});

const auth = () => ["-H", `Authorization: Bearer ${key}`];

async function show(id: string): Promise<Shown> {
  return (await curl(...auth(), `${stack.baseUrl}/imports/${id}?limit=100`)).json<Shown>();
}

it("Kills in the middle of an import lose nothing, store nothing twice, and the film is continued by ranges", async () => {
  requestedRanges = [];
  const base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const urls = [`${base}/film.mp4`, ...Array.from({ length: PICTURES }, (_, number) => `${base}/${number}.png`)];
  const before = await storedObjects(stack.stateDir);
  const used = async () =>
    Number((await curl(...auth(), `${stack.baseUrl}/images?limit=1`)).headers.get("x-storage-used"));
  const usedBefore = await used();
  const body = JSON.stringify({ items: urls.map((url) => ({ url })) });
  const { _id } = (await curl(...auth(), "--json", body, `${stack.baseUrl}/images/import`)).json<{ _id: string }>();
  for (const round of [1, 2]) {
    await new Promise((resolve) => setTimeout(resolve, 2500 + 400 * round));
    await stack.kill();
    await stack.restart();
  }
  await expect.poll(async () => (await show(_id)).endedAt, { timeout: 120_000, interval: 1000 }).not.toBeNull();
  const { counts, items } = await show(_id);
  expect(counts).toMatchObject({ done: urls.length, failed: 0, cancelled: 0 });
  expect(new Set(items.map(({ uploadId }) => uploadId)).size).toBe(urls.length);
  expect(requestedRanges.length).toBeGreaterThan(0);
  const bytes = FILM.length + Array.from({ length: PICTURES }, (_, number) => 2000 + number).reduce((a, b) => a + b, 0);
  await expect
    .poll(async () => (await storedObjects(stack.stateDir)).objects.length - before.objects.length, { timeout: 40_000 })
    .toBe(urls.length);
  expect((await storedObjects(stack.stateDir)).openMultipartUploads).toBe(0);
  expect((await used()) - usedBefore).toBe(bytes);
}, 300_000);

it("An imported photo is compressed and an imported video gets a thumbnail, as if they were uploaded", async () => {
  const { folder } = await makeMediaFiles();
  const paths = ["photo.jpg", "clip.mp4"].map((name) => join(folder, name));
  for (const path of paths) media.set(`/${basename(path)}`, await readFile(path));
  await rm(folder, { recursive: true });
  await curl(...auth(), "-X", "PATCH", "--json", '{"autoCompress": true}', `${stack.baseUrl}/settings`);
  const base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const body = JSON.stringify({ items: paths.map((path) => ({ url: `${base}/${basename(path)}` })) });
  const { _id } = (await curl(...auth(), "--json", body, `${stack.baseUrl}/images/import`)).json<{ _id: string }>();
  await expect.poll(async () => (await show(_id)).endedAt).not.toBeNull();

  interface Listed {
    readonly compressionQuality: number | null;
    readonly fileSize: number;
    readonly size: { readonly width: number; readonly height: number };
    readonly thumbnailUrl: string | null;
  }
  const { items } = await show(_id);
  const [photo, film] = items;
  const read = async (item = photo) =>
    (await curl(...auth(), `${stack.baseUrl}/images/${item?.uploadId}`)).json<Listed>();
  const compressed = await read(photo);
  expect(compressed.compressionQuality).toBe(65);
  expect(compressed.fileSize).toBeLessThan(media.get("/photo.jpg")?.length ?? 0);
  // The size is written with the finished thumbnail.
  await expect.poll(async () => (await read(film)).size).toEqual({ width: 320, height: 240 });
  const { thumbnailUrl } = await read(film);
  const thumbnail = await fetch(thumbnailUrl ?? "");
  expect([thumbnail.status, thumbnail.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  await thumbnail.body?.cancel();
}, 120_000);
