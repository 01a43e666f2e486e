import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import {
  ACCOUNT_ID,
  bytesOf,
  cdnEnv,
  fetchFile,
  ORIGIN,
  observe,
  patternBytes,
  storeFile,
  UPLOAD_ID,
} from "./harness.ts";

const FILE = `${ORIGIN}/uploads/${ACCOUNT_ID}/${UPLOAD_ID}-`;
const METHODS = "GET, HEAD, OPTIONS";
const SHOWN_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
const CLOSED_POLICY = "default-src 'none'; sandbox";

function jsonOf(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

describe("a request that is refused", () => {
  it.each([
    [404, "File not found", `${FILE}none.jpg`, ["get"]],
    [404, "File not found", `${ORIGIN}/uploads/${ACCOUNT_ID}/thumbs/${"0".repeat(26)}-thumb.jpg`, ["get"]],
    [404, "File not found", `${ORIGIN}/`, []],
    [404, "File not found", `${FILE}a.jpg/`, []],
    [404, "File not found", `${FILE}a%2fb.jpg`, []],
    [400, "Malformed URL", `${FILE}%zz.jpg`, []],
    [400, "Malformed URL", `${FILE}%ff.jpg`, []],
    [400, "Malformed URL", `${FILE}%00.jpg`, []],
    [414, "URI too long", FILE + "a".repeat(1024), []],
  ])("%d %s: %.90s", async (statusCode, error, url, expected) => {
    const { response, body, operations, views } = await observe(url);
    expect(response.status).toBe(statusCode);
    expect(jsonOf(body)).toEqual({ error, statusCode });
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(operations).toEqual(expected);
    expect(views).toEqual([]);
  });

  it("has no body for HEAD", async () => {
    for (const url of [`${FILE}none.jpg`, `${FILE}%zz.jpg`]) {
      const { response, body } = await observe(url, { method: "HEAD" });
      expect(response.status).toBe(url.includes("%zz") ? 400 : 404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(body).toHaveLength(0);
    }
  });
});

describe("methods", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])("%s is 405", async (method) => {
    const file = await storeFile("methods.jpg", patternBytes(10), "image/jpeg");
    const { response, body, operations, views } = await observe(file.url, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe(METHODS);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(jsonOf(body)).toEqual({ error: "Method not allowed", statusCode: 405 });
    expect(operations).toEqual([]);
    expect(views).toEqual([]);
    expect(await cdnEnv.FILES.head(file.objectKey)).not.toBeNull();
  });

  it("a body is not read", async () => {
    const response = await fetchFile(`${FILE}a.jpg`, { method: "PUT", body: "x".repeat(100_000) });
    expect(response.status).toBe(405);
    await response.body?.cancel();
  });

  it("OPTIONS answers a preflight without asking R2", async () => {
    const { response, body, operations, views } = await observe(`${FILE}none.jpg`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://player.example.net",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "range,if-range",
      },
    });
    expect(response.status).toBe(204);
    expect(body).toHaveLength(0);
    expect(operations).toEqual([]);
    expect(views).toEqual([]);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Access-Control-Allow-Methods")).toBe(METHODS);
    expect(response.headers.get("Access-Control-Max-Age")).toBe("86400");
    const allowed = response.headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(", ");
    expect(allowed).toEqual(
      expect.arrayContaining([
        "range",
        "if-range",
        "if-match",
        "if-none-match",
        "if-modified-since",
        "if-unmodified-since",
      ]),
    );
  });
});

it("every answer may be read by any site, and none can run as a page", async () => {
  const { url, etag } = await storeFile("everywhere.png", patternBytes(100), "image/png");
  const answers: [number, string, RequestInit][] = [
    [200, url, {}],
    [200, url, { method: "HEAD" }],
    [204, url, { method: "OPTIONS" }],
    [206, url, { headers: { Range: "bytes=0-9" } }],
    [304, url, { headers: { "If-None-Match": etag } }],
    [400, `${FILE}%zz`, {}],
    [404, `${FILE}none.png`, {}],
    [405, url, { method: "POST" }],
    [412, url, { headers: { "If-Match": '"other"' } }],
    [414, FILE + "a".repeat(2000), {}],
    [416, url, { headers: { Range: "bytes=100-" } }],
  ];
  for (const [status, address, init] of answers) {
    const response = await fetchFile(address, init);
    await bytesOf(response);
    expect(response.status).toBe(status);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    const policy = [200, 206, 304].includes(status) ? SHOWN_POLICY : CLOSED_POLICY;
    expect(response.headers.get("Content-Security-Policy")).toBe(policy);
    expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    const exposed = response.headers.get("Access-Control-Expose-Headers")?.split(", ");
    expect(exposed).toEqual(
      expect.arrayContaining(["Accept-Ranges", "Content-Length", "Content-Range", "ETag", "Last-Modified"]),
    );
  }
});

describe("when R2 fails", () => {
  const failure = new Error("get: We encountered an internal error. Please try again. (10001)");
  const fail = () => Promise.reject(failure);
  let logged: MockInstance<typeof console.error>;

  beforeEach(() => {
    logged = vi.spyOn(console, "error").mockImplementation(() => {});
  });
  afterEach(() => {
    logged.mockRestore();
  });

  it.each([
    ["a view", {}],
    ["a range", { headers: { Range: "bytes=0-9" } }],
    ["an unsatisfiable range", { headers: { Range: "bytes=900-" } }],
    ["a condition", { headers: { "If-None-Match": '"x"' } }],
  ])("%s is answered 503, and when to come again", async (_, init) => {
    const { url } = await storeFile("failing.mp4", patternBytes(100));
    const FILES = { get: fail, head: fail } as unknown as R2Bucket;
    const { response, body, views } = await observe(url, init, { FILES });
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(jsonOf(body)).toEqual({
      error: "Service temporarily unavailable",
      statusCode: 503,
      details: { retryAfter: 5 },
    });
    expect(views).toEqual([]);
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toMatchObject([{ event: "object.not-read", error: { message: failure.message } }]);
  });

  it("a range that R2 could have answered is 503, not 416", async () => {
    const { url } = await storeFile("failing.mp4", patternBytes(100));
    const FILES = { get: fail, head: (key: string) => cdnEnv.FILES.head(key) } as unknown as R2Bucket;
    const { response } = await observe(url, { headers: { Range: "bytes=0-9" } }, { FILES });
    expect(response.status).toBe(503);
  });

  it("HEAD is answered 503 without a body", async () => {
    const FILES = { head: fail } as unknown as R2Bucket;
    const { response, body } = await observe(`${FILE}a.mp4`, { method: "HEAD" }, { FILES });
    expect(response.status).toBe(503);
    expect(body).toHaveLength(0);
  });

  it("our own mistake is a 500 that tells nothing", async () => {
    const { response, body } = await observe(`${FILE}a.mp4`, {}, { FILES: undefined });
    expect(response.status).toBe(500);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(jsonOf(body)).toEqual({ error: "An internal error occurred. Please try again.", statusCode: 500 });
    expect(logged).toHaveBeenCalledOnce();
  });
});
