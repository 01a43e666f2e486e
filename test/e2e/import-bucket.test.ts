import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Bucket } from "../../src/cli/s3/bucket.ts";
import { readBucketOptions } from "../../src/cli/s3/parse-s3-url.ts";
import { S3Server } from "../support/backup/s3-server.ts";
import { CliUser } from "../support/cli/run-cli.ts";
import { mp4, png } from "../support/media/samples.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";

const FILES = new Map<string, Uint8Array<ArrayBuffer>>([
  ["2024/a.png", png(1, 1, 2000)],
  ["2024/sea & sun/b+c (1).png", png(1, 1, 3000)],
  ["2024/sea & sun/deep/größe.png", png(1, 1, 4000)],
  ["2024/film.mp4", mp4(9 * 1024 ** 2)],
]);

/** Files of the runs that are killed. */
const MANY = 60;
const bytesOf = (number: number) => png(1, 1, 2000 + number);

interface Listed {
  readonly images: {
    readonly _id: string;
    readonly url: string;
    readonly originalFilename: string;
    readonly folderId: string | null;
    readonly tags: string[];
    readonly metadata: Record<string, string>;
  }[];
}

let stack: Stack;
let server: S3Server;
let bucket: Bucket;
let user: CliUser;
let key: string;

beforeAll(async () => {
  server = await S3Server.start("photos");
  bucket = new Bucket(readBucketOptions("photos", server.env));
  for (const [name, bytes] of FILES) await bucket.ask("PUT", bucket.urlOf(name), { body: bytes });
  for (const name of ["2024/notes.txt", "2023/other.png"])
    await bucket.ask("PUT", bucket.urlOf(name), { body: png(1, 1, 999) });
  stack = await Stack.start({ WEBHOOK_ALLOW_PRIVATE: "true", INTENT_TIMEOUT_SECONDS: "4" });
  key = (await stack.demoAccounts()).pro.apiKey;
  user = await CliUser.create({ MEDIA_HOST_URL: stack.baseUrl, MEDIA_HOST_KEY: key });
}, 120_000);

afterAll(async () => {
  await user?.[Symbol.asyncDispose]();
  await stack?.dispose();
  await server?.[Symbol.asyncDispose]();
});

const get = async <T>(path: string) =>
  (await curl("-H", `Authorization: Bearer ${key}`, `${stack.baseUrl}${path}`)).json<T>();

const list = (tag = "s3") => get<Listed>(`/images?folderId=all&limit=100&tag=${tag}`);

/** Folders by id, as paths that end with a slash. */
async function readPaths(): Promise<(id: string | null) => string> {
  const { folders } = await get<{ folders: { _id: string; name: string; parentId: string | null }[] }>("/folders");
  const pathOf = (id: string | null): string => {
    const folder = folders.find(({ _id }) => _id === id);
    return folder === undefined ? "" : `${pathOf(folder.parentId)}${folder.name}/`;
  };
  return pathOf;
}

/** Kills the command when some files of the tag are stored, runs it again, and waits until every import has ended. */
async function killAndRepeat(tag: string, args: readonly string[], env: Record<string, string> = {}) {
  const killed = user.start(args, { env });
  const closed = once(killed, "close");
  await expect.poll(async () => (await list(tag)).images.length, { timeout: 60_000 }).toBeGreaterThan(0);
  killed.kill("SIGKILL");
  expect(await closed).toEqual([null, "SIGKILL"]);
  const repeated = await user.run(args, { env });
  const open = async () =>
    (await get<{ imports: { endedAt: string | null }[] }>("/imports")).imports.filter(
      ({ endedAt }) => endedAt === null,
    );
  await expect.poll(open, { timeout: 60_000 }).toEqual([]);
  return repeated;
}

it("`import s3://...` stores a bucket's files in their folders with their times, and each version once", async () => {
  const run = () => user.run(["import", "--tag", "s3", "s3://photos/2024"], { env: server.env });
  const first = await run();
  expect(first).toMatchObject({ exitCode: 0 });
  expect(first.stdout.trim().split("\n")).toHaveLength(FILES.size);
  expect(first.stderr).toContain("passed over: 2024/notes.txt");
  const { images } = await list();
  const pathOf = await readPaths();
  expect(images.map(({ folderId, originalFilename }) => `2024/${pathOf(folderId)}${originalFilename}`).sort()).toEqual(
    [...FILES.keys()].sort(),
  );
  for (const { url, metadata } of images) {
    const stored = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(Buffer.compare(stored, Buffer.from(FILES.get(metadata.s3Key ?? "") ?? []))).toBe(0);
    expect(metadata.lastModified).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  }

  const again = await run();
  expect(again).toMatchObject({ exitCode: 0, stdout: "" });
  expect(again.stderr).toContain(`there already: ${FILES.size}`);
  await bucket.ask("PUT", bucket.urlOf("2024/a.png"), { body: png(1, 1, 2001) });
  const changed = await run();
  expect(changed.stdout.trim().split("\n")).toHaveLength(1);
  expect((await list()).images).toHaveLength(FILES.size + 1);
}, 180_000);

it("`import s3://...` that is killed and repeated stores each object once, in its folder, with its time", async () => {
  const names = Array.from({ length: MANY }, (_, number) => `album/${number % 3}/${number}.png`);
  for (const [number, name] of names.entries()) {
    await bucket.ask("PUT", bucket.urlOf(name), { body: bytesOf(number) });
  }
  const args = ["import", "--tag", "album", "s3://photos/album"];
  expect(await killAndRepeat("album", args, server.env)).toMatchObject({ exitCode: 0 });
  const [{ images }, pathOf] = [await list("album"), await readPaths()];
  const stored = images.map(({ folderId, originalFilename }) => `album/${pathOf(folderId)}${originalFilename}`);
  expect(stored.sort()).toEqual([...names].sort());
  for (const { originalFilename, metadata, url } of images) {
    expect(metadata).toMatchObject({ s3Key: expect.stringContaining(`/${originalFilename}`) });
    expect(metadata.lastModified).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(Buffer.compare(bytes, Buffer.from(bytesOf(Number.parseInt(originalFilename, 10))))).toBe(0);
  }
}, 180_000);

it("`import urls.txt` that is killed and repeated stores each URL once; a third run tries the failed one again", async () => {
  let isThere = false;
  const source = createServer(async ({ url = "/" }, response) => {
    if (url === "/late.png" && !isThere) return void response.writeHead(404).end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    response.end(bytesOf(Number.parseInt(url.slice(1), 10) || 0));
  }).listen(0, "127.0.0.1");
  try {
    await once(source, "listening");
    const base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
    const names = Array.from({ length: MANY }, (_, number) => `${number}.png`);
    await writeFile(user.path("urls.txt"), [...names, "late.png"].map((name) => `${base}/${name}`).join("\n"));
    const args = ["import", "--tag", "list", "urls.txt"];
    const repeated = await killAndRepeat("list", args);
    expect(repeated.exitCode).toBe(1);
    expect(repeated.stderr).toContain("not imported:");
    const { images } = await list("list");
    expect(images.map(({ originalFilename }) => originalFilename).sort()).toEqual([...names].sort());
    isThere = true;
    const third = await user.run(args);
    expect(third).toMatchObject({ exitCode: 0 });
    expect(third.stderr).toContain(`there already: ${MANY}`);
    expect(third.stdout.trim().split("\n")).toHaveLength(1);
    expect((await list("list")).images).toHaveLength(MANY + 1);
  } finally {
    source.closeAllConnections();
    source.close();
  }
  // An item whose two attempts meet waits until the intent of one has timed out.
}, 400_000);

it("A bucket that refuses its key is named without the secret, and nothing is imported", async () => {
  const env = { ...server.env, AWS_SECRET_ACCESS_KEY: "a-wrong-secret" };
  const ran = await user.run(["import", "s3://photos/2023"], { env });
  expect(ran.exitCode).toBe(1);
  expect(ran.stderr).toContain("403 SignatureDoesNotMatch");
  expect(ran.stderr).not.toContain("a-wrong-secret");
  const missing = await user.run(["import", "s3://photos/2023"]);
  expect(missing).toMatchObject({ exitCode: 2 });
  expect(missing.stderr).toContain("AWS_ENDPOINT_URL_S3 is not set");
});
