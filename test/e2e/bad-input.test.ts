import { spawn } from "node:child_process";
import { once } from "node:events";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { png } from "../support/media/samples.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";
import { storedObjects } from "../support/uploads/stored-objects.ts";

const PNG = Buffer.from(png(1, 1, 2000));
const MP4_HEAD = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isommp42", "latin1");
const BOUNDARY = "----e2e";

let stack: Stack;
let key: string;

beforeAll(async () => {
  stack = await Stack.start({ INTENT_TIMEOUT_SECONDS: "4" });
  key = (await stack.demoAccounts()).pro.apiKey;
});

afterAll(async () => {
  await stack?.dispose();
});

const auth = () => ["-H", `Authorization: Bearer ${key}`];
const uploadUrl = () => `${stack.baseUrl}/images/upload`;
const inState = (name: string) => join(stack.stateDir, name);

function form(content: Buffer, closing = `\r\n--${BOUNDARY}--\r\n`): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from(closing)]);
}

/** Sends a body as it is, with this Content-Type. */
async function send(body: Buffer, contentType = `multipart/form-data; boundary=${BOUNDARY}`, ...args: string[]) {
  const path = inState("body");
  await writeFile(path, body);
  return curl(...auth(), "-H", `Content-Type: ${contentType}`, "--data-binary", `@${path}`, ...args, uploadUrl());
}

async function expectNothingStored(): Promise<void> {
  const list = await curl(...auth(), `${stack.baseUrl}/images?folderId=all`);
  expect(list.json<{ pagination: { total: number } }>().pagination.total).toBe(0);
  expect(list.headers.get("x-storage-used")).toBe("0");
  expect(await storedObjects(stack.stateDir)).toMatchObject({ objects: [], openMultipartUploads: 0 });
}

describe("bad input over the wire", () => {
  it("A body that ends before its closing boundary is a 400 and leaves nothing behind", async () => {
    const answer = await send(form(PNG, ""));
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      error: "Malformed multipart body",
      code: "malformed_multipart",
      statusCode: 400,
    });
    await expectNothingStored();
  });

  it("A boundary that does not occur in the body is a 400 and leaves nothing behind", async () => {
    expect((await send(form(PNG), "multipart/form-data; boundary=other")).status).toBe(400);
    await expectNothingStored();
  });

  it("A missing boundary is a 400 and leaves nothing behind", async () => {
    expect((await send(form(PNG), "multipart/form-data")).status).toBe(400);
    await expectNothingStored();
  });

  it("A file over the body limit is a 413 that names the limit", async () => {
    const path = inState("huge.mp4");
    await writeFile(path, MP4_HEAD);
    // A sparse file: two gigabytes that take no space.
    await truncate(path, 2 * 1024 ** 3);
    const answer = await curl(...auth(), "-F", `file=@${path}`, uploadUrl());
    expect(answer.status, String(answer.body)).toBe(413);
    expect(answer.json()).toEqual({
      error: "Request body too large",
      code: "body_too_large",
      statusCode: 413,
      details: { maxBytes: 104_857_600 },
    });
    await expectNothingStored();
  });

  it("A chunked body without a length is limited too", async () => {
    const path = inState("chunked");
    const head = Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`);
    await writeFile(path, Buffer.concat([head, MP4_HEAD]));
    await truncate(path, 130 * 1024 ** 2);
    const headers = [`Content-Type: multipart/form-data; boundary=${BOUNDARY}`, "Transfer-Encoding: chunked"];
    const answer = await curl(...auth(), ...headers.flatMap((h) => ["-H", h]), "-T", path, "-X", "POST", uploadUrl());
    expect(answer.status).toBe(413);
    await expectNothingStored();
  });

  it("A client that disconnects in the middle leaves nothing behind once the alarm has run", async () => {
    const path = inState("slow.mp4");
    await writeFile(path, MP4_HEAD);
    await truncate(path, 60 * 1024 ** 2);
    const client = spawn("curl", ["-sS", ...auth(), "--limit-rate", "8M", "-F", `file=@${path}`, uploadUrl()]);
    await expect
      .poll(async () => (await storedObjects(stack.stateDir)).openMultipartUploads, { timeout: 20_000 })
      .toBe(1);
    client.kill("SIGKILL");
    await once(client, "exit");
    await expect
      .poll(async () => (await storedObjects(stack.stateDir)).openMultipartUploads, { timeout: 30_000 })
      .toBe(0);
    await expectNothingStored();
  });

  it("A chunked upload without a length is stored like any other", async () => {
    const answer = await send(form(PNG), undefined, "-H", "Transfer-Encoding: chunked");
    expect(answer.status).toBe(201);
    expect(answer.json<{ fileSize: number }>().fileSize).toBe(PNG.length);
  });
});
