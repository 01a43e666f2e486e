import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { expectConsistent, readMeter, storedKeys } from "../support/api/account-state.ts";
import {
  BASE_URL,
  bearer,
  call,
  callJson,
  openAccount,
  openProAccount,
  type TestAccount,
  uploadOne,
} from "../support/api/api.ts";
import { expectInvalid } from "../support/library/api.ts";
import { gif, mp4, png } from "../support/media/samples.ts";
import { writePng } from "../support/png/write-png.ts";

function request(token: string, fields: Record<string, string | Blob>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return call("/settings/compression-preview", { method: "POST", headers: bearer(token), body: form });
}

const file = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], "a picture");
/** A PNG whose rows are not packed, so that compression can save bytes. */
const loose = () =>
  new Uint8Array(writePng({ width: 300, height: 200, colorType: 2, bitDepth: 8, pixel: (x, y) => [x, y, x * y] }));
const SIZE = loose().length;

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

async function expectNothingStored({ id }: TestAccount, before: readonly string[]): Promise<void> {
  expect(await storedKeys(id)).toEqual(before);
  expect((await readMeter(id)).intents).toEqual([]);
  await expectConsistent(id);
}

describe("POST /settings/compression-preview", () => {
  it("`POST /settings/compression-preview` answers the image an upload would store, and stores nothing", async () => {
    const account = await openAccount();
    const before = await storedKeys(account.id);
    const response = await request(account.token, { file: file(loose()), quality: "70" });
    expect(response.headers.get("X-Original-Size")).toBe(String(SIZE));
    expect(response.headers.get("Content-Type")).toBe("image/png");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const preview = await bytesOf(response);
    expect(response.headers.get("X-Operations-Used")).toBe("0");
    expect(preview.length).toBeLessThan(SIZE);
    await expectNothingStored(account, before);
    await callJson("PATCH", "/settings", account.token, { autoCompress: true, compressionQuality: 70 });
    const stored = await uploadOne(account.token, { name: "a.png", bytes: loose() });
    const object = await env.FILES.get(stored.filename);
    expect(Buffer.compare(Buffer.from(preview), Buffer.from((await object?.arrayBuffer()) ?? []))).toBe(0);
  });

  it("`POST /settings/compression-preview` accepts an upload's id, and defaults to the account's quality", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: loose() });
    const before = await storedKeys(account.id);
    const response = await request(account.token, { id: _id });
    expect(response.headers.get("X-Original-Size")).toBe(String(SIZE));
    expect((await bytesOf(response)).length).toBeLessThan(SIZE);
    const { image, originalBytes } = await createClient({
      baseUrl: BASE_URL,
      key: account.token,
      fetch: (input, init) => call(String(input).slice(BASE_URL.length), init as RequestInit),
    }).previewCompression(_id, 50);
    expect([originalBytes, image.size < SIZE]).toEqual([SIZE, true]);
    await expectNothingStored(account, before);
  });

  it("`POST /settings/compression-preview` answers the original if it would not get smaller", async () => {
    const { token } = await openAccount();
    const small = gif();
    const response = await request(token, { file: file(small), quality: "50" });
    expect(response.headers.get("X-Original-Size")).toBe(String(small.length));
    expect((await bytesOf(response)).length).toBeLessThanOrEqual(small.length);
  });

  it.each<[string, Record<string, string | Blob>]>([
    ["quality", { file: file(loose()), quality: "49" }],
    ["quality", { file: file(loose()), quality: "101" }],
    ["quality", { file: file(loose()), quality: "6.5" }],
    ["quality", { quality: "7".repeat(20_000) }],
    ["file", { quality: "70" }],
    ["file", { file: "text", quality: "70" }],
    ["file", { file: file(new Uint8Array()) }],
    ["file", { file: file(mp4()) }],
    ["id", { id: "01arz3ndektsv4rrffq69g5fav", file: file(loose()) }],
  ])("`POST /settings/compression-preview` refuses an invalid field and names %s", async (name, fields) => {
    await expectInvalid(await request((await openAccount()).token, fields), name);
  });

  it("`POST /settings/compression-preview` refuses files that are no images, other bodies, and large, unknown or foreign images", async () => {
    const account = await openAccount();
    const { token } = account;
    const stranger = await openAccount();
    const { _id: foreign } = await uploadOne(stranger.token, { name: "a.png", bytes: loose() });
    const statusOf = async (fields: Record<string, string | Blob>) => (await request(token, fields)).status;
    expect(await statusOf({ file: file(new Uint8Array(new TextEncoder().encode("no picture"))) })).toBe(415);
    expect(await statusOf({ id: foreign })).toBe(403);
    expect(await statusOf({ id: "01arz3ndektsv4rrffq69g5fav" })).toBe(404);
    expect(await statusOf({ id: "no id" })).toBe(404);
    expect(await statusOf({ file: file(png(1, 1, 32 * 1024 * 1024 + 1)) })).toBe(413);
    expect((await callJson("POST", "/settings/compression-preview", token, {})).status).toBe(400);
    const broken = { method: "POST", headers: { ...bearer(token), "Content-Type": "multipart/form-data; boundary=x" } };
    expect((await call("/settings/compression-preview", { ...broken, body: "--x\r\nbroken" })).status).toBe(400);
    await expectNothingStored(account, await storedKeys(account.id));
  });

  it("`POST /settings/compression-preview` is for sessions only", async () => {
    const { apiKey } = await openProAccount();
    expect((await request(apiKey, { file: file(loose()) })).status).toBe(403);
  });

  it("`POST /settings/compression-preview` is one at a time per account, free again after any result", async () => {
    const [account, other] = [await openAccount(), await openAccount()];
    const [first, second, another] = await Promise.all([
      request(account.token, { file: file(loose()) }),
      request(account.token, { file: file(loose()) }),
      request(other.token, { file: file(loose()) }),
    ]);
    const limited = [first, second].filter(({ status }) => status === 429);
    expect([limited.length, another.status]).toEqual([1, 200]);
    expect(await limited[0]?.json()).toMatchObject({ statusCode: 429, details: { reason: "preview", retryAfter: 2 } });
    expect(limited[0]?.headers.get("Retry-After")).toBe("2");
    for (const answer of [first, second, another]) if (answer.status === 200) await bytesOf(answer);
    expect((await request(account.token, { file: "none" })).status).toBe(400);
    await bytesOf(await request(account.token, { file: file(loose()) }));
  });
});
