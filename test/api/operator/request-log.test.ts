import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { bearer, openProAccount, uploadOne } from "../../support/api/api.ts";
import { failingStore } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";
import { captureOutput } from "../../support/operator/capture-output.ts";
import { OBSERVED, observe, readSeries } from "../../support/operator/observed.ts";

interface RequestLine {
  readonly event: string;
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly accountId?: string;
  readonly keyId?: string;
  readonly error?: { readonly name: string; readonly message: string; readonly stack: string };
}

let output: string[];

beforeEach(() => {
  output = captureOutput();
});

afterEach(() => vi.restoreAllMocks());

function requestLines(): RequestLine[] {
  return output.filter((line) => line.startsWith('{"event":"request"')).map((line) => JSON.parse(line));
}

it("The request log has one line a request: account, key, route, status, milliseconds", async () => {
  const { id, apiKey, apiKeyId } = await openProAccount();
  const response = await observe("/images?q=holiday", { headers: bearer(apiKey) });
  const lines = requestLines();
  expect(lines).toEqual([
    {
      event: "request",
      requestId: response.headers.get("X-Request-Id"),
      method: "GET",
      route: "/images",
      status: 200,
      ms: expect.any(Number),
      accountId: id,
      keyId: apiKeyId,
    },
  ]);
});

it("One of a hundred file requests has a line in the log", async () => {
  const draws = [0.5, 0.011, 0.009];
  vi.spyOn(Math, "random").mockImplementation(() => draws.shift() ?? 0.5);
  for (let view = 0; view < 3; view++) await observe("/uploads/nobody/nothing.png");
  expect(requestLines()).toMatchObject([{ route: "/uploads/*", status: 404, of: 100 }]);
});

it("Refusals of strangers are sampled after the first twenty in ten seconds", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  for (let request = 0; request < 50; request++) await observe(`/nowhere/${request}`);
  expect(requestLines().length).toBeGreaterThanOrEqual(1);
  expect(requestLines().length).toBeLessThanOrEqual(40);
});

it("A file request has a log line and an id, and a view is not among the API's requests", async () => {
  const { apiKey } = await openProAccount();
  const { url } = await uploadOne(apiKey, { name: "a.png", bytes: png() });
  output.length = 0;
  vi.spyOn(Math, "random").mockReturnValue(0);
  const path = new URL(url).pathname;
  const response = await observe(path, { headers: { Range: "bytes=0-9" } });
  expect(response.status).toBe(206);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(png().slice(0, 10));
  expect(response.headers.get("Content-Length")).toBe("10");
  const requestId = response.headers.get("X-Request-Id");
  expect(requestId).not.toBeNull();
  const line = {
    event: "request",
    requestId,
    method: "GET",
    route: "/uploads/*",
    status: 206,
    ms: expect.any(Number),
    of: 100,
  };
  expect(requestLines()).toEqual([line]);
  const head = await observe(path, { method: "HEAD" });
  expect(head.headers.get("Content-Length")).toBe(String(png().length));
  const etag = head.headers.get("ETag") ?? "";
  expect((await observe(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
  expect((await observe("/uploads/nobody/nothing.png")).status).toBe(404);
  expect(requestLines().map(({ status }) => status)).toEqual([206, 200, 304, 404]);
  expect([...(await readSeries()).keys()].filter((series) => series.includes("/uploads"))).toEqual([]);
});

it("The request log of `errors` has lines of 5xx only", async () => {
  const onlyErrors: Env = { ...OBSERVED, REQUEST_LOG: "errors" };
  await observe("/health", {}, onlyErrors);
  expect(requestLines()).toEqual([]);
  await observe("/health", {}, { ...onlyErrors, DB: failingStore<D1Database>() });
  expect(requestLines()).toHaveLength(1);
});

it("A request's id is its valid cf-ray, else random; the client's own id is ignored", async () => {
  const idOf = async (headers: Record<string, string>) =>
    (await observe("/health", { headers })).headers.get("X-Request-Id");
  expect(await idOf({ "cf-ray": "8f2a6c1de9b3f0a4-FRA" })).toBe("8f2a6c1de9b3f0a4-FRA");
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(await idOf({})).toMatch(UUID);
  expect(await idOf({ "cf-ray": "made up" })).toMatch(UUID);
  expect(await idOf({ "X-Request-Id": "made-up" })).toMatch(UUID);
});

it("Scripts of other origins can read the request id, on errors too", async () => {
  const response = await observe("/no-such-path");
  expect(response.status).toBe(404);
  expect(response.headers.get("X-Request-Id")).not.toBeNull();
  expect(response.headers.get("Access-Control-Expose-Headers")).toContain("X-Request-Id");
});

it("A 500 has the request id; its cause and stack are only in the log", async () => {
  const broken: Env = { ...OBSERVED, VERSION: undefined as unknown as Env["VERSION"] };
  const response = await observe("/admin/schema", { method: "POST", headers: bearer(env.ADMIN_TOKEN) }, broken);
  expect(response.status).toBe(500);
  const requestId = response.headers.get("X-Request-Id");
  expect(await response.json()).toEqual({
    error: "An internal error occurred. Please try again.",
    code: "internal_error",
    statusCode: 500,
    details: { requestId },
  });
  const [line] = requestLines();
  expect(line).toMatchObject({ requestId, status: 500, error: { name: "TypeError" } });
  expect(line?.error?.stack).toContain("shards");
});
