import { describe, expect, it } from "vitest";
import { TIERS } from "../../src/domain/tiers.ts";
import { bearer, call, openProAccount, uploadOne } from "../support/api/api.ts";
import { waitForQuietMinute } from "../support/api/quiet-minute.ts";
import { png } from "../support/media/samples.ts";

function headersOf({ headers }: Response): Record<string, number> {
  const names = [
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "Operations-Used",
    "Operations-Limit",
    "Storage-Used",
    "Storage-Limit",
  ];
  return Object.fromEntries(names.map((name) => [name, Number(headers.get(`X-${name}`) ?? Number.NaN)]));
}

function resetOf(response: Response): number {
  return Number(response.headers.get("X-RateLimit-Reset"));
}

describe("Usage headers", () => {
  it.each([
    ["GET", "/docs/", 200],
    ["GET", "/docs/swagger-ui.css", 200],
    ["HEAD", "/docs/", 200],
    ["GET", "/favicon.svg", 200],
    ["GET", "/docs/nothing", 404],
    ["GET", "/openapi.json", 200],
    ["GET", "/health", 200],
    ["GET", "/no/such/route", 404],
    ["PUT", "/images/upload", 405],
    ["POST", "/docs/", 405],
  ])("Usage headers are of the valid key's account, even if no key is needed (%s %s)", async (method, path, status) => {
    await waitForQuietMinute(10_000);
    const { apiKey } = await openProAccount();
    await uploadOne(apiKey, { name: "a.png", bytes: png(1, 1, 700) });
    const response = await call(path, { method, headers: bearer(apiKey), redirect: "manual" });
    expect(response.status).toBe(status);
    expect(headersOf(response)).toEqual({
      "RateLimit-Limit": TIERS.pro.requestsPerMinute,
      "RateLimit-Remaining": TIERS.pro.requestsPerMinute - 3,
      "Operations-Used": 1,
      "Operations-Limit": TIERS.pro.operationsPerMonth,
      "Storage-Used": 700,
      "Storage-Limit": TIERS.pro.storageBytes,
    });
  });

  it("Usage headers are the account's if its body is too large to be read", async () => {
    await waitForQuietMinute(10_000);
    const { apiKey } = await openProAccount();
    const headers = { ...bearer(apiKey), "Content-Type": "application/json" };
    const response = await call("/folders", {
      method: "POST",
      headers,
      body: JSON.stringify({ name: "x".repeat(300_000) }),
    });
    expect(response.status).toBe(413);
    expect(headersOf(response)).toMatchObject({
      "RateLimit-Limit": TIERS.pro.requestsPerMinute,
      "Operations-Limit": TIERS.pro.operationsPerMonth,
      "Storage-Limit": TIERS.pro.storageBytes,
    });
  });

  it("Usage headers are the address's on pages and redirects, with a wrong or missing credential", async () => {
    for (const headers of [{}, bearer("nonsense")]) {
      for (const path of ["/docs", "/docs/", "/no/such/route"]) {
        const response = await call(path, { headers, redirect: "manual" });
        expect(headersOf(response)).toMatchObject({ "RateLimit-Limit": 600, "Operations-Limit": 0, "Storage-Used": 0 });
        expect(resetOf(response) % 60).toBe(0);
      }
    }
  });

  it("Usage headers have the end of the window, on a preflight too", async () => {
    const response = await call("/images", {
      method: "OPTIONS",
      headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "GET" },
    });
    expect(response.status).toBe(204);
    expect(resetOf(response) % 60).toBe(0);
    expect(resetOf(response) * 1000).toBeGreaterThan(Date.now());
  });

  it("Usage headers are added to a page's own headers", async () => {
    const page = await call("/docs/");
    expect(page.headers.get("Content-Type")).toContain("text/html");
    expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'self'");
    expect(await page.text()).toContain("swagger-ui");
  });
});
