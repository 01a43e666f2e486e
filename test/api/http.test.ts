import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { USAGE_HEADERS } from "../../src/api/middleware/every-request.ts";
import { createApp } from "../../src/app.ts";
import {
  BASE_URL,
  bearer,
  call,
  callJson,
  newAddress,
  openAccount,
  openProAccount,
  uploadOne,
} from "../support/api/api.ts";
import { png } from "../support/media/samples.ts";

function expectUsageHeaders(response: Response): void {
  for (const header of USAGE_HEADERS) expect(response.headers.get(header)).toMatch(/^\d+(\.\d)?$/);
}

describe("Headers of every response", () => {
  it.each([
    ["GET", "/health", 200],
    ["GET", "/openapi.json", 200],
    ["GET", "/nowhere", 404],
    ["PUT", "/images", 405],
    ["OPTIONS", "/images", 204],
    ["GET", "/images", 401],
    ["POST", "/auth/login", 400],
    ["HEAD", "/health", 200],
  ])("Every response carries the seven headers: %s %s", async (method, path, status) => {
    const response = await call(path, { method, headers: { Origin: "https://elsewhere.example" } });
    expect(response.status).toBe(status);
    expectUsageHeaders(response);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(path.startsWith("/auth/") ? null : "*");
  });

  it("A response without credentials has usage 0 and the address's own rate", async () => {
    const { headers } = await call("/health");
    expect(headers.get("X-Operations-Used")).toBe("0");
    expect(headers.get("X-Operations-Limit")).toBe("0");
    expect(headers.get("X-Storage-Used")).toBe("0");
    expect(headers.get("X-Storage-Limit")).toBe("0");
    expect(headers.get("X-RateLimit-Limit")).toBe(env.ADDRESS_RATE_PER_MINUTE);
    expect(Number(headers.get("X-RateLimit-Remaining"))).toBeLessThan(Number(env.ADDRESS_RATE_PER_MINUTE));
    const reset = Number(headers.get("X-RateLimit-Reset"));
    expect(reset % 60).toBe(0);
    expect(reset * 1000).toBeGreaterThan(Date.now() - 1000);
  });

  it("The usage headers include the request itself", async () => {
    const { apiKey } = await openProAccount();
    const { _id, fileSize } = await uploadOne(apiKey, { name: "a.png", bytes: png() });
    const stored = await call("/images", { headers: bearer(apiKey) });
    expect(stored.headers.get("X-Storage-Used")).toBe(String(fileSize));
    expect(stored.headers.get("X-Operations-Used")).toBe("1");
    const deleted = await call(`/images/${_id}`, { method: "DELETE", headers: bearer(apiKey) });
    expect(deleted.headers.get("X-Storage-Used")).toBe("0");
    expect(deleted.headers.get("X-Operations-Used")).toBe("2");
  });

  it("Scripts of other origins can read the headers, and preflights pass", async () => {
    const { headers } = await call("/health", { headers: { Origin: "https://elsewhere.example" } });
    const exposed = headers.get("Access-Control-Expose-Headers") ?? "";
    for (const header of USAGE_HEADERS) expect(exposed).toContain(header);
    const preflight = await call("/images/01arz3ndektsv4rrffq69g5fav", {
      method: "OPTIONS",
      headers: {
        Origin: "https://elsewhere.example",
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization,cache-control,x-requested-with",
      },
    });
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("DELETE");
    const allowed = preflight.headers.get("Access-Control-Allow-Headers")?.split(/, ?/);
    expect(allowed).toEqual(["authorization", "cache-control", "x-requested-with"]);
    expect(preflight.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });
});

describe("Errors", () => {
  it("An unknown path is a JSON 404", async () => {
    const response = await call("/nowhere");
    expect(response.headers.get("Content-Type")).toContain("application/json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({ error: "Not found", code: "not_found", statusCode: 404 });
  });

  it.each([
    ["/images/upload/", 404],
    ["/upload", 404],
    ["/images", 405],
  ])("A large upload to a path that accepts none gets its error: %s", async (path, status) => {
    const body = new FormData();
    body.set("file", new File([new Uint8Array(400_000)], "photo.jpg"));
    const response = await call(path, { method: "POST", body });
    expect([response.status, (await response.json<{ statusCode: number }>()).statusCode]).toEqual([status, status]);
  });

  it("A large file with a method that no upload has is 405", async () => {
    for (const type of ["image/jpeg", "application/octet-stream", "multipart/form-data; boundary=x"]) {
      const body = new Uint8Array(400_000);
      const response = await call("/images/upload", { method: "PUT", headers: { "Content-Type": type }, body });
      expect([response.status, response.headers.get("Allow")]).toEqual([405, expect.stringContaining("POST")]);
    }
  });

  it.each([
    ["PUT", "/images", ["GET", "HEAD", "OPTIONS"]],
    ["DELETE", "/folders", ["GET", "POST", "HEAD", "OPTIONS"]],
    ["POST", "/images/01arz3ndektsv4rrffq69g5fav", ["GET", "PATCH", "DELETE", "HEAD", "OPTIONS"]],
    ["GET", "/auth/login", ["POST", "OPTIONS"]],
    ["PATCH", "/openapi.json", ["GET", "HEAD", "OPTIONS"]],
  ])("A wrong method is 405 with the allowed methods: %s %s", async (method, path, allowed) => {
    const response = await call(path, { method });
    expect(response.status).toBe(405);
    expect(await response.json()).toEqual({ error: "Method not allowed", code: "method_not_allowed", statusCode: 405 });
    expect(response.headers.get("Allow")?.split(", ").sort()).toEqual(allowed.sort());
  });

  it("Malformed JSON is 400", async () => {
    const response = await call("/auth/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"email": ',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: "Malformed JSON in request body",
      code: "malformed_json",
      statusCode: 400,
    });
  });

  it("A body of another type, or a missing one, is 4xx", async () => {
    const { apiKey } = await openProAccount();
    for (const init of [
      { body: "ids=1", headers: { ...bearer(apiKey), "Content-Type": "application/x-www-form-urlencoded" } },
      { body: "[]", headers: { ...bearer(apiKey), "Content-Type": "application/json" } },
      { body: "null", headers: { ...bearer(apiKey), "Content-Type": "application/json" } },
      { headers: bearer(apiKey) },
    ]) {
      const response = await call("/images/bulk-trash", { method: "POST", ...init });
      expect([400, 415]).toContain(response.status);
      expect(await response.json()).toMatchObject({
        error: expect.any(String),
        code: expect.any(String),
        statusCode: response.status,
      });
    }
  });

  it.each([
    ["GET", "/images?limit=0", undefined, { limit: "Must be at least 1" }],
    ["GET", "/images?page=x", undefined, { page: "Must be a whole number" }],
    ["GET", "/images?status=lost", undefined, { status: "Must be `active`, `trash` or `all`" }],
    ["POST", "/folders", {}, { name: "Required" }],
    ["POST", "/folders", { name: 7 }, { name: "Must be a string" }],
    ["POST", "/images/bulk-trash", { ids: [] }, { ids: "Must have at least 1 item" }],
    ["POST", "/images/bulk-trash", { ids: ["a"], Ids: 1 }, { body: "Unknown field `Ids`; did you mean `ids`?" }],
    ["PATCH", "/settings", { autoCompress: "yes" }, { autoCompress: "Must be true or false" }],
  ])("A wrong value is explained in the service's own words: %s %s", async (method, path, body, expected) => {
    const { token } = await openProAccount();
    const response = await callJson(method, path, token, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ details: expected });
  });

  it("An error is bounded, even if many fields are wrong", async () => {
    const { apiKey } = await openProAccount();
    const response = await callJson("POST", "/images/bulk-trash", apiKey, { ids: Array(900).fill(7) });
    expect(response.status).toBe(400);
    const { details } = await response.json<{ details: object }>();
    expect(Object.keys(details).length).toBeLessThanOrEqual(20);
  });
});

async function callWith(overrides: Partial<Env>, path: string, init: RequestInit = {}): Promise<Response> {
  const ctx = createExecutionContext();
  const response = await createApp().fetch(new Request(BASE_URL + path, init), { ...env, ...overrides }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

describe("Failures of the service", () => {
  it("A database failure is a 503 with the time to retry", async () => {
    const broken = {
      prepare: () => {
        throw new Error("D1_ERROR: internal error; reference = abc");
      },
    } as unknown as D1Database;
    const response = await callWith({ DB: broken }, "/health");
    expect(response.status).toBe(503);
    const body = await response.json();
    expect(body).toEqual({
      error: "Service temporarily unavailable",
      code: "service_unavailable",
      statusCode: 503,
      details: { retryAfter: expect.any(Number) },
    });
    expect(response.headers.get("Retry-After")).toBe(
      String((body as { details: { retryAfter: number } }).details.retryAfter),
    );
    expectUsageHeaders(response);
  });

  it("A Durable Object failure is a 503 as well", async () => {
    const { token } = await openAccount();
    const broken = {
      getByName: () => ({
        admit: () => Promise.reject(Object.assign(new Error("Durable Object reset"), { durableObjectReset: true })),
      }),
    } as unknown as Env["ACCOUNT_METER"];
    const response = await callWith({ ACCOUNT_METER: broken }, "/images", { headers: bearer(token) });
    expect(response.status).toBe(503);
  });

  it("An unforeseen failure is the contract's 500, and leaks nothing", async () => {
    const buggy = {
      prepare: () => {
        throw new TypeError("secret internals at /src/somewhere.ts");
      },
    } as unknown as D1Database;
    const response = await callWith({ DB: buggy }, "/health");
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: "An internal error occurred. Please try again.",
      code: "internal_error",
      statusCode: 500,
      details: { requestId: response.headers.get("X-Request-Id") },
    });
    expectUsageHeaders(response);
  });

  it("A failure of the address's meter does not replace the request's own error", async () => {
    const broken = {
      getByName: () => ({ admit: () => Promise.reject(new Error("Network connection lost.")) }),
    } as unknown as Env["ADDRESS_METER"];
    expect((await callWith({ ADDRESS_METER: broken }, "/nowhere")).status).toBe(404);
  });
});

describe("The rate of an address", () => {
  it("An address without credentials is limited, and gets 429 with the seconds to wait", async () => {
    const [address, otherAddress] = [newAddress(), newAddress()];
    const stranger = (path: string) =>
      callWith({ ADDRESS_RATE_PER_MINUTE: "5" }, path, { headers: { "CF-Connecting-IP": address } });
    const other = () =>
      callWith({ ADDRESS_RATE_PER_MINUTE: "5" }, "/health", { headers: { "CF-Connecting-IP": otherAddress } });
    let limited: Response | undefined;
    // This takes at most two windows, because the minute may change during the test.
    for (let tries = 0; tries < 11 && limited === undefined; tries++) {
      const response = await stranger(tries % 2 === 0 ? "/health" : "/images");
      if (response.status === 429) limited = response;
    }
    expect(limited?.status).toBe(429);
    const body = await limited?.json<{ details: { retryAfter: number } }>();
    expect(body).toMatchObject({
      error: "Rate limit exceeded",
      code: "rate_limited",
      details: { retryAfter: expect.any(Number) },
    });
    expect(limited?.headers.get("Retry-After")).toBe(String(body?.details.retryAfter));
    expect((await other()).status).toBe(200);
  });

  it("The rate of an address is shared by all of a customer's IPv6 addresses", async () => {
    const from = (address: string) =>
      callWith({}, "/health", { headers: { "CF-Connecting-IP": address } }).then(({ headers }) =>
        Number(headers.get("X-RateLimit-Remaining")),
      );
    const [first, second, third] = [
      await from("2001:db8:1:2::1"),
      await from("2001:db8:1:2:ffff::2"),
      await from("2001:db8:1:3::1"),
    ];
    // The count may be lower if the minute changed during the test.
    expect(second === first - 1 || second === third).toBe(true);
    expect(third).toBe(Number(env.ADDRESS_RATE_PER_MINUTE) - 1);
  });
});
