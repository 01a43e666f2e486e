import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import {
  ACCOUNT_ID,
  bytesOf,
  cdnEnv,
  fetchFile,
  ORIGIN,
  observe,
  patternBytes,
  SERVED,
  storeFile,
  storeServed,
  UPLOAD_ID,
} from "./harness.ts";

const FILE = `${ORIGIN}/uploads/${ACCOUNT_ID}/${UPLOAD_ID}-`;
const METHODS = "GET, HEAD, OPTIONS";
const SHOWN_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
const CLOSED_POLICY = "default-src 'none'; sandbox";

function jsonOf(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

/** The code that belongs to a message in this file. */
function codeOf(error: string): string {
  return { "URI too long": "uri_too_long" }[error] ?? error.toLowerCase().replaceAll(" ", "_");
}

describe("Refused requests", () => {
  it.each([
    [404, "File not found", `${FILE}none.jpg`, ["get", "head", "get"]],
    [
      404,
      "File not found",
      `${ORIGIN}/uploads/${ACCOUNT_ID}/thumbs/${"0".repeat(26)}-thumb.jpg`,
      ["get", "head", "get"],
    ],
    [404, "File not found", `${ORIGIN}/`, []],
    [404, "File not found", `${FILE}a.jpg/`, []],
    [404, "File not found", `${FILE}a%2fb.jpg`, []],
    [400, "Malformed URL", `${FILE}%zz.jpg`, []],
    [400, "Malformed URL", `${FILE}%ff.jpg`, []],
    [400, "Malformed URL", `${FILE}%00.jpg`, []],
    [414, "URI too long", FILE + "a".repeat(1024), []],
  ])("A refused request is %d %s: %.90s", async (statusCode, error, url, expected) => {
    const { response, body, operations, views } = await observe(url);
    expect(response.status).toBe(statusCode);
    expect(jsonOf(body)).toEqual({ error, statusCode, code: codeOf(error) });
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(operations).toEqual(expected);
    expect(views).toEqual([]);
  });

  it("A refused HEAD has no body", async () => {
    for (const url of [`${FILE}none.jpg`, `${FILE}%zz.jpg`]) {
      const { response, body } = await observe(url, { method: "HEAD" });
      expect(response.status).toBe(url.includes("%zz") ? 400 : 404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(body).toHaveLength(0);
    }
  });
});

describe("Methods", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])("%s is 405", async (method) => {
    const file = await storeFile("methods.jpg", patternBytes(10), "image/jpeg");
    const { response, body, operations, views } = await observe(file.url, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe(METHODS);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(jsonOf(body)).toEqual({ error: "Method not allowed", code: "method_not_allowed", statusCode: 405 });
    expect(operations).toEqual([]);
    expect(views).toEqual([]);
    expect(await cdnEnv.FILES.head(file.objectKey)).not.toBeNull();
  });

  it("The body of a refused request is not read", async () => {
    const response = await fetchFile(`${FILE}a.jpg`, { method: "PUT", body: "x".repeat(100_000) });
    expect(response.status).toBe(405);
    await response.body?.cancel();
  });

  it("OPTIONS answers a preflight without an R2 operation", async () => {
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

it.each(SERVED)("Every answer of a $title can be read by any site, and none can run as a page", async (served) => {
  const { url, etag } = await storeServed(served, "everywhere.jpg", patternBytes(100), "image/jpeg");
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

describe("R2 failures", () => {
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
  ])("If R2 fails, %s is answered 503 with the time to retry", async (_, init) => {
    const { url } = await storeFile("failing.mp4", patternBytes(100));
    const FILES = { get: fail, head: fail } as unknown as R2Bucket;
    const { response, body, views } = await observe(url, init, { FILES });
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(jsonOf(body)).toEqual({
      error: "Service temporarily unavailable",
      code: "service_unavailable",
      statusCode: 503,
      details: { retryAfter: 5 },
    });
    expect(views).toEqual([]);
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toMatchObject([{ event: "object.not-read", error: { message: failure.message } }]);
  });

  it("If R2 fails after it refused a range, the answer is 503, not 416", async () => {
    const { url } = await storeFile("failing.mp4", patternBytes(100));
    const FILES = { get: fail, head: (key: string) => cdnEnv.FILES.head(key) } as unknown as R2Bucket;
    const { response } = await observe(url, { headers: { Range: "bytes=0-9" } }, { FILES });
    expect(response.status).toBe(503);
  });

  it("If R2 fails, HEAD is answered 503 without a body", async () => {
    const FILES = { head: fail } as unknown as R2Bucket;
    const { response, body } = await observe(`${FILE}a.mp4`, { method: "HEAD" }, { FILES });
    expect(response.status).toBe(503);
    expect(body).toHaveLength(0);
  });

  it("A fault of the Worker is a 500 without details", async () => {
    const { response, body } = await observe(`${FILE}a.mp4`, {}, { FILES: undefined });
    expect(response.status).toBe(500);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(jsonOf(body)).toEqual({
      error: "An internal error occurred. Please try again.",
      code: "internal_error",
      statusCode: 500,
    });
    expect(logged).toHaveBeenCalledOnce();
  });
});

describe("Error pages", () => {
  const NAVIGATION = { headers: { "Sec-Fetch-Dest": "document", Accept: "text/html" } };
  const STYLED_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  const PAGE_HEADERS = { type: "text/html; charset=utf-8", policy: STYLED_POLICY, cache: "no-store" };

  async function open(url: string, init: RequestInit = NAVIGATION, replaced = {}) {
    const { response, body } = await observe(url, init, replaced);
    const { headers, status } = response;
    return {
      status,
      headers: {
        type: headers.get("Content-Type"),
        policy: headers.get("Content-Security-Policy"),
        cache: headers.get("Cache-Control"),
      },
      text: new TextDecoder().decode(body),
    };
  }

  it("A browser that opens a missing file's address gets a page that links to the form for reports", async () => {
    const page = await open(`${FILE}none.jpg`);
    expect(page).toMatchObject({ status: 404, headers: PAGE_HEADERS });
    expect(page.text).toContain("<h1>404 File not found</h1>");
    expect(page.text).toContain('<a href="/report"');
    expect(page.text).not.toContain("none.jpg");
  });

  it("A taken-down file's page is 451, and its link is the configured address, escaped", async () => {
    const { objectKey, url } = await storeFile("taken.jpg", patternBytes(0), "image/jpeg");
    await cdnEnv.FILES.put(objectKey, new Uint8Array(0), { customMetadata: { takedown: "01" } });
    const page = await open(url, NAVIGATION, { REPORT_URL: 'https://api.example.com/report?a="b"' });
    expect(page).toMatchObject({ status: 451, headers: PAGE_HEADERS });
    expect(page.text).toContain('href="https://api.example.com/report?a=&#34;b&#34;"');
  });

  it.each([
    ["a program", {}],
    ["a program that accepts all", { headers: { Accept: "*/*" } }],
    ["an embedded image", { headers: { "Sec-Fetch-Dest": "image", Accept: "image/*" } }],
    ["a script's fetch", { headers: { "Sec-Fetch-Dest": "empty", Accept: "text/html" } }],
  ])("The error for %s is JSON", async (_, init) => {
    const { status, headers, text } = await open(`${FILE}none.jpg`, init);
    expect([status, headers.type, JSON.parse(text).code]).toEqual([404, "application/json", "file_not_found"]);
  });
});
