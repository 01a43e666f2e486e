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

interface Listed {
  readonly images: {
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
  stack = await Stack.start({ WEBHOOK_ALLOW_PRIVATE: "true" });
  key = (await stack.demoAccounts()).pro.apiKey;
  user = await CliUser.create({ MEDIA_HOST_URL: stack.baseUrl, MEDIA_HOST_KEY: key });
}, 120_000);

afterAll(async () => {
  await user?.[Symbol.asyncDispose]();
  await stack?.dispose();
  await server?.[Symbol.asyncDispose]();
});

const list = async () =>
  (await curl("-H", `Authorization: Bearer ${key}`, `${stack.baseUrl}/images?folderId=all&tag=s3`)).json<Listed>();

it("`import s3://...` stores a bucket's files in their folders with their times, and each version once", async () => {
  const run = () => user.run(["import", "--tag", "s3", "s3://photos/2024"], { env: server.env });
  const first = await run();
  expect(first).toMatchObject({ exitCode: 0 });
  expect(first.stdout.trim().split("\n")).toHaveLength(FILES.size);
  expect(first.stderr).toContain("passed over: 2024/notes.txt");
  const { images } = await list();
  const folders = (await curl("-H", `Authorization: Bearer ${key}`, `${stack.baseUrl}/folders`)).json<{
    folders: { _id: string; name: string; parentId: string | null }[];
  }>().folders;
  const pathOf = (id: string | null): string => {
    const folder = folders.find(({ _id }) => _id === id);
    return folder === undefined ? "" : `${pathOf(folder.parentId)}${folder.name}/`;
  };
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
