import { describe, expect, it } from "vitest";
import { expectNothingLeft, usageOf } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount, upload, uploadOne } from "../../support/api/api.ts";
import { bytesOf, mp4, png } from "../../support/media/samples.ts";
import { inChunks, multipartBody, streamOf, utf8 } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";

const SMALL = { name: "file", filename: "a.png", content: png(1, 1, 5000) };
/** More than one part, so that the first part is stored before the end arrives. */
const LARGE = { name: "file", filename: "a.mp4", content: mp4(9_000_000) };

interface Refused {
  readonly error: string;
  readonly statusCode: number;
  readonly details?: Record<string, unknown>;
}

async function expectRefused(account: TestAccount, response: Response, status: number): Promise<Refused> {
  const body = await response.json<Refused>();
  expect(response.status, JSON.stringify(body)).toBe(status);
  expect(body).toMatchObject({ error: expect.any(String), code: expect.any(String), statusCode: status });
  expect(usageOf(response)).toEqual({ storage: 0, operations: 0 });
  await expectNothingLeft(account.id);
  return body;
}

describe("Requests without a file", () => {
  it.each([
    ["no part", multipartBody("edge", [])],
    ["text fields only", multipartBody("edge", [{ name: "tags", content: utf8("a") }])],
    ["an empty file input", multipartBody("edge", [{ ...SMALL, filename: "", content: utf8("") }])],
    ["a file in another field", multipartBody("edge", [{ ...SMALL, name: "image" }])],
    ["a file in `File`", multipartBody("edge", [{ ...SMALL, name: "File" }])],
    ["a text field named file", multipartBody("edge", [{ name: "file", content: SMALL.content }])],
    ["an empty text field named file", multipartBody("edge", [{ name: "file", content: utf8("") }])],
    ["a file without a name", multipartBody("edge", [{ ...SMALL, filename: "" }])],
    ["an empty file", multipartBody("edge", [{ ...SMALL, content: utf8("") }])],
  ])("A request without a file (%s) is 400 with `details.file`", async (_, body) => {
    const account = await openAccount();
    const { details } = await expectRefused(account, await postMultipart(account.uploadKey, body), 400);
    expect(details).toEqual({ file: expect.any(String) });
  });

  it.each([
    ["no boundary", "multipart/form-data"],
    ["an empty boundary", "multipart/form-data; boundary="],
    ["a boundary of 71 characters", `multipart/form-data; boundary=${"x".repeat(71)}`],
    ["JSON", "application/json"],
    ["a URL-encoded form", "application/x-www-form-urlencoded"],
    ["another kind of multipart", "multipart/mixed; boundary=edge"],
  ])("A request without a boundary (%s) is 400 with `details.file`", async (_, contentType) => {
    const account = await openAccount();
    const response = await postMultipart(account.uploadKey, multipartBody("edge", [SMALL]), contentType);
    const { details } = await expectRefused(account, response, 400);
    expect(details).toEqual({ file: expect.any(String) });
  });

  it("A request without a body is 400 with `details.file`", async () => {
    const account = await openAccount();
    const { details } = await expectRefused(account, await postMultipart(account.uploadKey, null), 400);
    expect(details).toEqual({ file: expect.any(String) });
  });
});

describe("Malformed bodies", () => {
  const whole = multipartBody("edge", [SMALL, LARGE, SMALL], { epilogue: "" });
  it.each([
    ["an empty body", utf8("")],
    ["noise", bytesOf(new Uint8Array(100_000).fill(0xaa))],
    ["another boundary", multipartBody("other", [SMALL])],
    ["the boundary without its dashes", utf8("edge\r\n\r\nx\r\nedge")],
    ["one truncated in the first headers", whole.subarray(0, 40)],
    ["one truncated in a small file", whole.subarray(0, 1000)],
    ["one truncated in a large file", whole.subarray(0, 8_000_000)],
    ["one truncated behind the last file", whole.subarray(0, whole.length - "\r\n--edge--".length)],
    ["one truncated in the closing boundary", whole.subarray(0, whole.length - 1)],
    ["a part without headers", utf8("--edge\r\n\r\nx\r\n--edge--")],
    ["a part without a name", utf8("--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--")],
    ["201 parts", multipartBody("edge", [SMALL, ...Array(200).fill({ name: "a", content: utf8("x") })])],
    ["headers without an end", bytesOf(utf8("--edge\r\nX: "), new Uint8Array(100_000).fill(0x78))],
  ])("A malformed body (%s) is 400, and no file of it is kept", async (_, body) => {
    const account = await openAccount();
    await expectRefused(account, await postMultipart(account.uploadKey, body), 400);
  });
});

describe("Too large requests", () => {
  it("A request with 51 files is 400, and none of them is kept", async () => {
    const account = await openAccount();
    const files = Array.from({ length: 51 }, (_, i) => ({ name: `${i}.png`, bytes: png(1, 1, 100 + i) }));
    const { details } = await expectRefused(account, await upload(account.uploadKey, files), 400);
    expect(details).toEqual({ maxFiles: 50 });
  });

  it("A request with 51 files of which most fail is 400 as well", async () => {
    const account = await openAccount();
    const parts = Array.from({ length: 51 }, (_, i) => (i % 2 ? SMALL : { ...SMALL, content: utf8("text") }));
    await expectRefused(account, await postMultipart(account.uploadKey, multipartBody("edge", parts)), 400);
  });

  it("A request that declares 2 GB is 413 before the body is read", async () => {
    const account = await openAccount();
    const headers = { "Content-Length": String(2 * 1024 ** 3) };
    const response = await postMultipart(account.uploadKey, multipartBody("edge", [SMALL]), undefined, headers);
    const { details } = await expectRefused(account, response, 413);
    expect(details).toEqual({ maxBytes: 104_857_600 });
  });

  it.each(["abc", "-1", "1e9", "0x10", "1.5", "99999999999999999999"])(
    "A request with a Content-Length of %s is no 5xx, and leaves nothing half done",
    async (declared) => {
      const account = await openAccount();
      const body = streamOf(inChunks(multipartBody("edge", [LARGE]), 100_000));
      const response = await postMultipart(account.uploadKey, body, undefined, { "Content-Length": declared });
      expect([201, 400, 413]).toContain(response.status);
      if (response.status !== 201) await expectNothingLeft(account.id);
    },
  );

  it("A request of more than 100 MB without a length is 413 at the limit, and nothing is kept", async () => {
    const account = await openAccount();
    let sent = 0;
    function* endless() {
      yield multipartBody("edge", [{ ...SMALL, content: mp4(100) }]).subarray(0, -12);
      const block = new Uint8Array(4_000_000).fill(1);
      for (; sent < 400; sent += 4) yield block;
    }
    const response = await postMultipart(account.uploadKey, streamOf(endless()));
    const { details } = await expectRefused(account, response, 413);
    expect(details).toEqual({ maxBytes: 104_857_600 });
    expect(sent).toBeLessThan(150);
  });
});

describe("Streamed bodies", () => {
  it("A streamed body is stored without a Content-Length", async () => {
    const account = await openAccount();
    const body = multipartBody("edge", [SMALL, LARGE]);
    const response = await postMultipart(account.uploadKey, streamOf(inChunks(body, 70_000)));
    expect(response.status).toBe(201);
    expect(usageOf(response).storage).toBe(SMALL.content.length + LARGE.content.length);
  });

  it.each([0, 10, 130, 5000, 6_000_000, 8_900_000])(
    "A streamed body that breaks off after %d bytes stores nothing",
    async (length) => {
      const account = await openAccount();
      const body = multipartBody("edge", [SMALL, LARGE]).subarray(0, length);
      const broken = streamOf(inChunks(body, 500_000), new Error("The client went away"));
      const response = await postMultipart(account.uploadKey, broken).catch(() => undefined);
      if (response !== undefined) await expectRefused(account, response, 400);
      await expectNothingLeft(account.id);
    },
  );

  it("A streamed body that the client aborts stores nothing", async () => {
    const account = await openAccount();
    const abort = new AbortController();
    function* stalling() {
      yield multipartBody("edge", [SMALL, LARGE]).subarray(0, 8_000_000);
      abort.abort();
      yield new Uint8Array(10);
    }
    const request = call("/images/upload", {
      method: "POST",
      headers: { ...bearer(account.uploadKey), "Content-Type": "multipart/form-data; boundary=edge" },
      body: streamOf(stalling(), new Error("Aborted")),
      signal: abort.signal,
    });
    await request.catch(() => undefined);
    await expect.poll(() => expectNothingLeft(account.id).then(() => "clean")).toBe("clean");
  });
});

it("A bad request does not affect the account's stored files", async () => {
  const account = await openAccount();
  const kept = await uploadOne(account.uploadKey, { name: "kept.png", bytes: png(1, 1, 4321) });
  const body = multipartBody("edge", [SMALL, LARGE]).subarray(0, 8_900_000);
  const response = await postMultipart(account.uploadKey, body);
  expect(response.status).toBe(400);
  expect(usageOf(response)).toEqual({ storage: 4321, operations: 1 });
  expect((await call(new URL(kept.url).pathname)).status).toBe(200);
});
