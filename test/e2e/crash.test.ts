import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { photo } from "../support/media/pictures.ts";
import { png } from "../support/media/samples.ts";
import { H264, redThenBlue } from "../support/processor/codecs.ts";
import { encode } from "../support/processor/videos.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";
import { storedObjects } from "../support/uploads/stored-objects.ts";
import type { UploadResult } from "../support/uploads/upload-result.ts";

const TIMEOUT_SECONDS = 4;
const MP4_HEAD = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isommp42", "latin1");

let stack: Stack;
let key: string;
let picture: Buffer;
let film: Buffer;

beforeAll(async () => {
  stack = await Stack.start({ INTENT_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) });
  const { pro } = await stack.demoAccounts();
  key = pro.apiKey;
  // A thousand requests a minute: the tests below make a few hundred.
  await stack.admin("set-tier", pro.email, "business");
  picture = await photo(300, 200).jpeg().toBuffer();
  film = await encode("film.mp4", redThenBlue("64x48"), ...H264);
  await writeFile(join(stack.stateDir, "small.png"), png(1, 1, 50_000));
  await writeFile(join(stack.stateDir, "large.mp4"), MP4_HEAD);
  await truncate(join(stack.stateDir, "large.mp4"), 60 * 1024 ** 2);
});

afterAll(async () => {
  await stack?.dispose();
});

const auth = (credential = key) => ["-H", `Authorization: Bearer ${credential}`];

function uploadArgs(name: string, credential?: string): string[] {
  return [...auth(credential), "-F", `file=@${join(stack.stateDir, name)}`, `${stack.baseUrl}/images/upload`];
}

/** The library as a client sees it, and the contents of the stores. */
async function inventory() {
  const images: { _id: string; filename: string; fileSize: number }[] = [];
  for (let page = 1, totalPages = 1, usedBytes = 0; ; page++) {
    if (page > totalPages) {
      const listedBytes = images.reduce((sum, { fileSize }) => sum + fileSize, 0);
      return { images, listedBytes, usedBytes };
    }
    const list = await curl(...auth(), `${stack.baseUrl}/images?folderId=all&limit=100&page=${page}`);
    const body = list.json<{ images: typeof images; pagination: { totalPages: number } }>();
    images.push(...body.images);
    totalPages = body.pagination.totalPages;
    usedBytes = Number(list.headers.get("x-storage-used"));
  }
}

async function expectConsistent(answered: readonly string[]): Promise<void> {
  await expect
    .poll(
      async () => {
        const [{ images, listedBytes, usedBytes }, stored] = await Promise.all([
          inventory(),
          storedObjects(stack.stateDir),
        ]);
        return {
          leakedBytes: usedBytes - listedBytes,
          orphans: stored.objects.filter((object) => !images.some(({ filename }) => filename === object)),
          withoutFile: images.filter(({ filename }) => !stored.objects.includes(filename)),
          openMultipartUploads: stored.openMultipartUploads,
          lost: answered.filter((id) => !images.some(({ _id }) => _id === id)),
        };
      },
      { timeout: 40_000, interval: 500 },
    )
    .toEqual({ leakedBytes: 0, orphans: [], withoutFile: [], openMultipartUploads: 0, lost: [] });
}

/** Uploads small files one by one and notes each answered id, until the stack is gone. */
async function uploadUntilKilled(answered: string[], credential?: string): Promise<void> {
  for (;;) {
    const answer = await curl(...uploadArgs("small.png", credential)).catch(() => undefined);
    if (answer?.status !== 201) return;
    answered.push(answer.json<UploadResult>()._id);
  }
}

async function uploadAll(files: readonly { readonly name: string; readonly bytes: Buffer }[]): Promise<UploadResult[]> {
  const form = new FormData();
  for (const { name, bytes } of files) form.append("file", new Blob([bytes]), name);
  const init = { method: "POST", headers: { Authorization: `Bearer ${key}` }, body: form };
  const answer = (await (await fetch(`${stack.baseUrl}/images/upload`, init)).json()) as { uploaded: UploadResult[] };
  return answer.uploaded;
}

async function expire(id: string, at: number): Promise<void> {
  const change = JSON.stringify({ expiresAt: new Date(at).toISOString() });
  const answer = await curl(...auth(), "-X", "PATCH", "--json", change, `${stack.baseUrl}/images/${id}`);
  expect(answer.status).toBe(200);
}

/** All keys of these uploads in R2: files, thumbnails, variants, previews. */
async function keysOf(ids: readonly string[]): Promise<string[]> {
  const { keys } = await storedObjects(stack.stateDir);
  return keys.filter((each) => ids.some((id) => each.includes(id)));
}

interface Replaced {
  readonly id: string;
  readonly urls: string[];
  /** The hashes of the bytes that the file may have: the last answered ones, and those of the request without an answer. */
  allowed: string[];
}

/** Replaces a file again and again until the stack is gone. */
async function replaceUntilKilled(file: Replaced, width: number): Promise<void> {
  for (let height = 1; ; height++) {
    const bytes = png(width, height, 50_000 + height);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    file.allowed = [file.allowed[0] ?? "", sha256];
    const headers = { Authorization: `Bearer ${key}` };
    const init = { method: "PUT", headers, body: bytes };
    const answer = await fetch(`${stack.baseUrl}/images/${file.id}/content`, init)
      .then((response) => (response.ok ? (response.json() as Promise<UploadResult>) : undefined))
      .catch(() => undefined);
    if (answer === undefined) return;
    file.urls.push(answer.url);
    file.allowed = [sha256];
  }
}

describe("SIGKILL of the whole stack", () => {
  it("A crash in the middle of a large upload leaks nothing and loses nothing that was answered", async () => {
    const before = await curl(...uploadArgs("small.png"));
    const answered = [before.json<UploadResult>()._id];
    const client: ChildProcess = spawn("curl", ["-sS", "--limit-rate", "10M", ...uploadArgs("large.mp4")], {
      stdio: "ignore",
    });
    await expect
      .poll(async () => (await storedObjects(stack.stateDir)).openMultipartUploads, { timeout: 20_000 })
      .toBe(1);
    // By now, some parts are in R2.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await stack.kill();
    client.kill("SIGKILL");
    expect((await storedObjects(stack.stateDir)).openMultipartUploads).toBe(1);
    await stack.restart();
    await expectConsistent(answered);
  });

  it.each([1, 2])(
    "A crash at any moment of a row of small uploads loses nothing that was answered, round %i",
    async (round) => {
      const answered: string[] = [];
      const clients = [uploadUntilKilled(answered), uploadUntilKilled(answered), uploadUntilKilled(answered)];
      await new Promise((resolve) => setTimeout(resolve, 700 + 137 * round));
      await stack.kill();
      await Promise.all(clients);
      expect(answered.length).toBeGreaterThan(0);
      await stack.restart();
      await expectConsistent(answered);
    },
  );

  it("A crash in the middle of uploads by a token leaves its counts equal to the files that are stored", async () => {
    const limits = JSON.stringify({ maxFiles: 1000, maxBytes: 1024 ** 3, tags: ["by-token"] });
    const created = await curl(...auth(), "--json", limits, `${stack.baseUrl}/upload-tokens`);
    const { token } = created.json<{ token: string }>();
    const answered: string[] = [];
    const clients = [uploadUntilKilled(answered, token), uploadUntilKilled(answered, token)];
    await new Promise((resolve) => setTimeout(resolve, 900));
    await stack.kill();
    await Promise.all(clients);
    expect(answered.length).toBeGreaterThan(0);
    await stack.restart();
    await expectConsistent(answered);
    const [listed, tokens] = await Promise.all([
      curl(...auth(), `${stack.baseUrl}/images?folderId=all&tag=by-token&limit=1`),
      curl(...auth(), `${stack.baseUrl}/upload-tokens`),
    ]);
    const { total } = listed.json<{ pagination: { total: number } }>().pagination;
    const [counted] = tokens.json<{ uploadTokens: { usedFiles: number; usedBytes: number }[] }>().uploadTokens;
    const { size } = await stat(join(stack.stateDir, "small.png"));
    expect(counted).toMatchObject({ usedFiles: total, usedBytes: total * size });
  });

  it.each([1, 2])(
    "A crash in the middle of replacements leaves each file its former or its new bytes, and nothing else, round %i",
    async (round) => {
      const files: Replaced[] = [];
      for (let count = 0; count < 3; count++) {
        const { _id, url, sha256 } = (await curl(...uploadArgs("small.png"))).json<UploadResult>();
        files.push({ id: _id, urls: [url], allowed: [sha256 ?? ""] });
      }
      const clients = files.map((file, at) => replaceUntilKilled(file, 10 * round + at));
      await new Promise((resolve) => setTimeout(resolve, 600 + 91 * round));
      await stack.kill();
      await Promise.all(clients);
      expect(files.some(({ urls }) => urls.length > 1)).toBe(true);
      await stack.restart();
      await expectConsistent(files.map(({ id }) => id));
      for (const { id, urls, allowed } of files) {
        const { url, sha256 } = (await curl(...auth(), `${stack.baseUrl}/images/${id}`)).json<UploadResult>();
        expect(allowed).toContain(sha256);
        // Earlier URLs lead to the file.
        for (const each of [...urls, url]) {
          const bytes = Buffer.from(await (await fetch(each)).arrayBuffer());
          expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
        }
      }
    },
  );

  it.each([1, 2, 3])(
    "A crash while files expire deletes each due file once, with its variants and thumbnail, and no other file, round %i",
    async (round) => {
      const pictures = ["a", "b", "c", "d", "e"].map((name) => ({ name: `${name}.jpg`, bytes: picture }));
      const [due, kept] = [
        await uploadAll([...pictures, { name: "film.mp4", bytes: film }]),
        await uploadAll(pictures.slice(0, 2)),
      ];
      for (const { url } of due.slice(0, 5)) await (await fetch(`${url}?w=64`)).arrayBuffer();
      const ids = due.map(({ _id }) => _id);
      // The film's thumbnail follows its upload; each picture has a variant.
      const isWhole = async () => {
        const keys = await keysOf(ids);
        return ids.every((id) => keys.filter((each) => each.includes(id)).length >= 2);
      };
      await expect.poll(isWhole, { timeout: 20_000, interval: 250 }).toBe(true);
      const [at, later] = [Date.now() + 1500, Date.now() + 3_600_000];
      await Promise.all([...due.map(({ _id }) => expire(_id, at)), ...kept.map(({ _id }) => expire(_id, later))]);
      await new Promise((resolve) => setTimeout(resolve, at + 20 * (round - 2) - Date.now()));
      await stack.kill();
      await stack.restart();
      await expect.poll(() => keysOf(ids), { timeout: 20_000, interval: 250 }).toEqual([]);
      await expectConsistent(kept.map(({ _id }) => _id));
      const logged = await curl(...auth(), `${stack.baseUrl}/logs?type=delete&limit=100`);
      const { logs } = logged.json<{ logs: { resourceId: string }[] }>();
      const deleted = logs
        .map(({ resourceId }) => resourceId)
        .filter((id) => [...due, ...kept].some(({ _id }) => _id === id));
      expect(deleted.sort()).toEqual(ids.sort());
    },
  );
});
