import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileLine, Held, Manifest } from "../../src/cli/backup/manifest.ts";
import { type Client, createClient } from "../../src/client/index.ts";
import { S3Server } from "../support/backup/s3-server.ts";
import { Stack } from "../support/stack/stack.ts";

// A drill: backups of a stack in use, and restores into empty stacks. Figures and bytes are equal afterwards.

const TIMEOUT_MS = 300_000;
/** The time after which an account's object finishes what a request has begun. */
const INTENT_SECONDS = 20;
const TIMEOUT = { INTENT_TIMEOUT_SECONDS: String(INTENT_SECONDS) };

let source: Stack;
let folder: string;
let s3: S3Server;
let password: string;
/** An upload whose bytes were replaced, as it was before. */
let replaced: { readonly _id: string; readonly url: string };

beforeAll(async () => {
  [source, s3] = await Promise.all([Stack.start(TIMEOUT), S3Server.start("backups")]);
  folder = await mkdtemp(join(tmpdir(), "backup-"));
}, TIMEOUT_MS);

afterAll(async () => {
  await source?.dispose();
  await s3?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** `npm run admin`. @throws with `stderr` if it fails */
async function admin(stack: Stack, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...s3.env, BASE_URL: stack.baseUrl };
  return (await promisify(execFile)(process.execPath, ["src/cli/admin.ts", ...args], { env })).stdout;
}

async function logIn(stack: Stack, email: string, secret: string): Promise<Client> {
  const { token } = await createClient({ baseUrl: stack.baseUrl }).auth.logIn({ email, password: secret });
  return createClient({ baseUrl: stack.baseUrl, key: token });
}

/** Noise, which no codec makes smaller. */
async function picture(width: number, height: number): Promise<Blob> {
  const raw = { width, height, channels: 3 } as const;
  const png = await sharp(randomBytes(width * height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return new Blob([new Uint8Array(png)], { type: "image/png" });
}

async function upload(stack: Stack, key: string, body: Blob, name: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", body, name);
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${stack.baseUrl}/images/upload`, { method: "POST", headers, body: form });
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as { _id: string; url: string };
}

async function replace(stack: Stack, key: string, id: string, body: Blob): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${stack.baseUrl}/images/${id}/content`, { method: "PUT", headers, body });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
}

function toSha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads an upload by its earlier URL and by its present one. */
async function follow(stack: Stack, client: Client, { _id, url }: typeof replaced) {
  const present = await client.image(_id);
  expect(present.url).not.toBe(url);
  const [earlier, now] = await Promise.all(
    [stack.baseUrl + new URL(url).pathname, present.url].map(async (each) => {
      // A range does not count as a view.
      const response = await fetch(each, { headers: { Range: "bytes=1-" } });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, path: new URL(response.url).pathname, sha256: toSha256(bytes) };
    }),
  );
  expect(now?.status).toBe(206);
  return { earlier, now };
}

/** Everything that an account shows, without facts that change between two moments. */
async function lookAt(stack: Stack, email: string, secret: string) {
  const { token } = await createClient({ baseUrl: stack.baseUrl }).auth.logIn({ email, password: secret });
  const get = async (path: string) => {
    const response = await fetch(stack.baseUrl + path, { headers: { Authorization: `Bearer ${token}` } });
    return JSON.parse((await response.text()).replaceAll(stack.baseUrl, "")) as Record<string, unknown>;
  };
  const [overview, images, folders, tags, keys, logs, account, settings] = await Promise.all(
    [
      "/stats/overview",
      "/images?status=all&limit=100",
      "/folders",
      "/tags",
      "/keys",
      "/logs",
      "/account",
      "/settings",
    ].map(get),
  );
  const found = await get("/images?status=all&q=holiday");
  const items = images?.images as { url: string; previewUrl?: string; viewUrl?: string }[];
  const hashes = await Promise.all(
    items.map(async ({ url }) => {
      // HEAD and later ranges do not count as views: the figures stay equal.
      const bytes = await fetch(`${stack.baseUrl}${url}`, { headers: { Range: "bytes=1-" } });
      return toSha256(Buffer.from(await bytes.arrayBuffer()));
    }),
  );
  const signed = /[?&](preview|token)=[^"&]*/g;
  const text = JSON.stringify({ overview, images, found, folders, tags, keys, logs, account, settings, hashes });
  return JSON.parse(text.replace(signed, "")) as Record<string, unknown>;
}

async function first<Item>(list: AsyncIterable<Item>): Promise<Item> {
  for await (const item of list) return item;
  throw new Error("The list is empty");
}

const files = async (below: string): Promise<string[]> =>
  (await readdir(join(folder, below), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

describe("backup and restore", () => {
  it("A backup that is made while the service is used copies each file once", { timeout: TIMEOUT_MS }, async () => {
    const { free, pro, password: first } = await source.demoAccounts();
    password = first;
    const owner = await logIn(source, pro.email, password);
    await owner.settings.update({ autoCompress: false });
    const trip = await owner.folders.create({ name: "Trip" });
    const inner = await owner.folders.create({ name: "Day 1", parentId: trip._id });
    const small = await picture(20, 20);
    const kept = await upload(source, pro.apiKey, small, "holiday photo.png", { folderId: inner._id, tags: "sea,sun" });
    const trashed = await upload(source, pro.apiKey, small, "trashed.png");
    const deleted = await upload(source, pro.apiKey, small, "deleted.png");
    replaced = await upload(source, pro.apiKey, small, "replaced.png");
    await replace(source, pro.apiKey, replaced._id, await picture(21, 21));
    // Three ranges of 16 MB.
    await upload(source, pro.apiKey, await picture(3500, 3400), "large.png", { folderId: trip._id });
    await upload(source, free.uploadKey, small, "free.png");
    await owner.trash([trashed._id]);
    await owner.delete(deleted._id);
    await owner.update(kept._id, { favorite: true });
    await upload(source, pro.apiKey, small, "expiring.png", { expiresIn: "86400" });
    await fetch(kept.url);

    let isOver = false;
    const use = (async () => {
      while (!isOver) {
        // Below the account's rate.
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const { _id } = await upload(source, pro.apiKey, small, "meanwhile.png", { folderId: inner._id });
        const again = await upload(source, pro.apiKey, small, "kept meanwhile.png", { tags: "sun" });
        await owner.delete(_id);
        await owner.update(again._id, { favorite: true });
      }
    })();
    const output = await admin(source, "backup", folder, "2").finally(() => {
      isOver = true;
    });
    await use;
    expect(output).toMatch(/backup \d{8}T\d{6}Z: 2 accounts, \d+ files/);

    // Views are counted a second later.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const before = (await files("files")).length;
    const second = await admin(source, "backup", folder, "2");
    const [, copied] = /\((\d+) new\)/.exec(second) ?? [];
    expect(Number(copied)).toBeLessThan(before);
    expect(await admin(source, "backup", folder, "2")).toContain("(0 new)");
    // The folder keeps two backups, and the files that these list.
    expect((await files("backups")).filter((path) => path.endsWith("manifest.json"))).toHaveLength(2);
  });

  it("A backup of a stack in use is restored, and lacks at most files that were made and deleted meanwhile", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const target = await Stack.start({ ...TIMEOUT, DEMO_ACCOUNTS: "none" });
    const busy = await mkdtemp(join(tmpdir(), "backup-"));
    try {
      const { pro } = await source.demoAccounts();
      const owner = await logIn(source, pro.email, password);
      const small = await picture(20, 20);
      const [answered, deleted]: [string[], string[]] = [[], []];
      const changing = await upload(source, pro.apiKey, small, "changing.png");
      let isOver = false;
      const use = (async () => {
        while (!isOver) {
          // Below the account's rate.
          await new Promise((resolve) => setTimeout(resolve, 1000));
          const { _id } = await upload(source, pro.apiKey, small, "busy.png");
          answered.push(_id);
          await replace(source, pro.apiKey, changing._id, await picture(20 + answered.length, 20));
          if (answered.length % 3 !== 0) continue;
          deleted.push(answered.shift() ?? "");
          await owner.delete(deleted.at(-1) ?? "");
        }
      })();
      while (answered.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
      const before = [...answered];
      await admin(source, "backup", busy).finally(() => {
        isOver = true;
      });
      await use;
      await admin(target, "restore-backup", busy);
      const report = await admin(target, "reconcile", pro.email);
      const found = [...report.matchAll(/^(?:found|repaired) +(\S+) +(\S+)/gm)].map(([, kind, id]) => ({ kind, id }));
      expect(report).toContain(`differences: ${found.length}`);
      // A file that was made after the first listing and deleted before the second one cannot be copied.
      expect(found.filter(({ kind, id = "" }) => kind !== "file-lost" || !deleted.includes(id))).toEqual([]);
      const restored = await logIn(target, pro.email, password);
      const there = (await lookAt(target, pro.email, password)).images as { images: { _id: string }[] };
      const ids = new Set(there.images.map(({ _id }) => _id));
      const still = before.filter((id) => answered.includes(id));
      expect(still.filter((id) => !ids.has(id))).toEqual([]);
      expect((await restored.stats()).storage.used).toBeGreaterThan(0);
      // The row, the log, the files and the earlier URLs were read at four moments, between which the bytes were replaced. The account's
      // object was perhaps read within a replacement, which `reconcile` leaves to the object's alarm.
      await expect
        .poll(() => follow(target, restored, changing), { timeout: 2 * INTENT_SECONDS * 1000, interval: 500 })
        .toSatisfy(({ earlier, now }) => isDeepStrictEqual(earlier, now));
      const again = [...(await admin(target, "reconcile", pro.email)).matchAll(/^(?:found|repaired) .*/gm)];
      expect(again.filter(([line]) => !line.includes("file-lost"))).toEqual([]);
    } finally {
      await target.dispose();
      await rm(busy, { recursive: true, force: true });
    }
  });

  it("A restore from an S3 bucket has equal figures, bytes, keys and passwords, and no sessions", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { free, pro } = await source.demoAccounts();
    const owner = await logIn(source, pro.email, password);
    const { token } = await createClient({ baseUrl: source.baseUrl }).auth.logIn({ email: free.email, password });
    const revoked = await owner.keys.create({ name: "Revoked", scopes: [] });
    await owner.keys.delete(revoked._id);
    await admin(source, "backup", "s3://backups/media");
    expect(await admin(source, "verify-backup", "s3://backups/media")).toContain("is whole");

    const target = await Stack.start({ DEMO_ACCOUNTS: "none" });
    try {
      await admin(target, "restore-backup", "s3://backups/media");
      for (const { email } of [free, pro]) {
        expect(await lookAt(target, email, password)).toEqual(await lookAt(source, email, password));
        expect(await admin(target, "reconcile", email)).toContain("differences: 0");
      }
      const { earlier, now } = await follow(target, await logIn(target, pro.email, password), replaced);
      expect(earlier).toEqual(now);
      // The row and the account's object have the time of deletion: `reconcile` compares them. The object's alarm keeps to it.
      const restored = await logIn(target, pro.email, password);
      const expiring = await first(restored.images({ folderId: "all", q: "expiring" }));
      expect(Date.parse(expiring.expiresAt ?? "")).toBeGreaterThan(Date.now());
      await restored.update(expiring._id, { expiresAt: new Date(Date.now() + 3000).toISOString() });
      await expect
        .poll(async () => (await fetch(expiring.url, { method: "HEAD" })).status, { timeout: 60_000, interval: 500 })
        .toBe(404);
      const ask = async (key: string) =>
        (await fetch(`${target.baseUrl}/images`, { headers: { Authorization: `Bearer ${key}` } })).status;
      expect(await ask(pro.apiKey)).toBe(200);
      expect(await ask(revoked.key)).toBe(401);
      expect(await ask(token)).toBe(401);
      await upload(target, free.uploadKey, await picture(10, 10), "after.png");

      await expect(admin(target, "restore-backup", "s3://backups/media")).rejects.toThrow(
        "The installation has accounts",
      );
    } finally {
      await target.dispose();
    }
  });

  it("A damaged file and a damaged row stop the check and the restore, which continues after they are repaired", {
    timeout: TIMEOUT_MS,
  }, async () => {
    expect(await admin(source, "verify-backup", folder)).toContain("is whole");
    const manifests = (await files("backups")).filter((path) => path.endsWith("manifest.json")).sort();
    const { chunks } = JSON.parse(await readFile(manifests.at(-1) ?? "", "utf8")) as Manifest;
    const chunkOf = (isWanted: (holds: Held) => boolean) => chunks.find(({ holds }) => isWanted(holds))?.name ?? "";
    const listed = gunzipSync(
      await readFile(
        join(
          folder,
          chunkOf(({ kind }) => kind === "files"),
        ),
      ),
    );
    const lines = listed.toString().split("\n");
    const filled = lines.map((line) => JSON.parse(line) as FileLine).find(({ size }) => size > 0);
    const target = await Stack.start({ DEMO_ACCOUNTS: "none" });
    try {
      const damageable = [
        filled?.name ?? "",
        chunkOf((holds) => holds.kind === "rows" && holds.table === "uploads"),
        chunkOf(({ kind }) => kind === "accounts"),
        chunkOf((holds) => holds.kind === "rows" && holds.database === "directory" && holds.table === "keys"),
      ];
      for (const name of damageable) {
        const path = join(folder, name);
        const bytes = await readFile(path);
        const damaged = Buffer.from(bytes);
        damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
        await writeFile(path, damaged);
        await expect(admin(source, "verify-backup", folder)).rejects.toThrow("is damaged");
        await expect(admin(target, "restore-backup", folder)).rejects.toThrow("is damaged");
        await writeFile(path, bytes);
      }
      // The command continues the interrupted restore.
      await admin(target, "restore-backup", folder);
      const { pro } = await source.demoAccounts();
      expect(await admin(target, "reconcile", pro.email)).toContain("differences: 0");
      expect((await (await logIn(target, pro.email, password)).stats()).storage.used).toBeGreaterThan(0);
    } finally {
      await target.dispose();
    }
  });
});
