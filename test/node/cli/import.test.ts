import { writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeService } from "../../support/cli/fake-service.ts";
import { CliUser } from "../../support/cli/run-cli.ts";

const ID = "01arz3ndektsv4rrffq69g5fav";
const env = (service: FakeService) => ({
  MEDIA_HOST_URL: service.url,
  MEDIA_HOST_KEY: `service_upload_${"p".repeat(43)}`,
});

let service: FakeService;
let user: CliUser;

beforeEach(async () => {
  service = await FakeService.start();
  user = await CliUser.create();
});
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  await user?.[Symbol.asyncDispose]();
});

it("`import` sends the URLs of a file, waits, and writes the stored uploads and the failures", async () => {
  await writeFile(
    user.path("urls.txt"),
    "https://files.example.com/a.png\n\n# a comment\nhttps://files.example.com/b.png\n",
  );
  const facts = { _id: ID, total: 2, counts: {}, createdAt: "2026-11-26T12:00:00.000Z", stoppedAt: null };
  const item = { attempts: 1, uploadId: null, error: null };
  const items = [
    { ...item, number: 0, url: "https://files.example.com/a.png", state: "done", uploadId: "an-upload" },
    { ...item, number: 1, url: "https://files.example.com/b.png", state: "failed", error: { error: "No such file" } },
  ];
  service.answers.set("/images/import", { _id: ID });
  service.answers.set(`/imports/${ID}?limit=1`, {
    ...facts,
    endedAt: facts.createdAt,
    items: [],
    pagination: { nextCursor: null },
  });
  service.answers.set(`/imports/${ID}?limit=100`, {
    ...facts,
    endedAt: facts.createdAt,
    items,
    pagination: { nextCursor: null },
  });
  const ran = await user.run(["import", "urls.txt"], { env: env(service) });
  expect(ran).toMatchObject({ exitCode: 1, stdout: "an-upload\n" });
  expect(ran.stderr).toContain("not imported: https://files.example.com/b.png: No such file");
  expect(service.asked.filter((request) => request === "POST /images/import")).toHaveLength(1);
  expect(await user.run(["import", "--no-wait", "urls.txt"], { env: env(service) })).toMatchObject({
    exitCode: 0,
    stdout: `${ID}\n`,
  });
});

it("`import` sends a request whose answer was lost again, under the same idempotency key", async () => {
  await writeFile(user.path("urls.txt"), "https://files.example.com/a.png\n");
  service.answers.set("/images/import", { _id: ID });
  let lost = 2;
  service.refuse = () => (lost-- > 0 ? { status: 503, error: "Later", retryAfter: 0 } : undefined);
  const ran = await user.run(["import", "--no-wait", "urls.txt"], { env: env(service) });
  expect(ran).toMatchObject({ exitCode: 0, stdout: `${ID}\n` });
  expect(service.asked).toEqual(Array(3).fill("POST /images/import"));
  expect([service.keys.length, new Set(service.keys).size]).toEqual([3, 1]);
});

it("`import` of a list that cannot be read is an error of usage", async () => {
  const ran = await user.run(["import", "missing.txt"], { env: env(service) });
  expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
  expect(ran.stderr).toContain("missing.txt");
  expect(service.asked).toEqual([]);
});
