import { afterEach, describe, expect, it, vi } from "vitest";
import { call, newAddress, openAccount, uploadOne } from "../../support/api/api.ts";
import { callWith } from "../../support/api/registration.ts";
import { Siteverify } from "../../support/api/siteverify.ts";
import { png } from "../../support/media/samples.ts";
import { asOperator } from "../../support/operator/as-operator.ts";

function report(body: object, address = newAddress()): Promise<Response> {
  const headers = { "Content-Type": "application/json", "CF-Connecting-IP": address };
  return call("/reports", { method: "POST", headers, body: JSON.stringify(body) });
}

async function listed(status = "open"): Promise<{ id: string }[]> {
  const all: { id: string }[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const answer: Response = await asOperator("GET", `reports?status=${status}&after=${after}`);
    const page = await answer.json<{ reports: { id: string }[]; next: string | null }>();
    all.push(...page.reports);
    after = page.next;
  }
  return all;
}

it("A report of a file waits for the operator with its upload, until it is decided", async () => {
  const { id: accountId, token } = await openAccount();
  const { _id, url } = await uploadOne(token, { name: "a.png", bytes: png() });
  const filed = await report({ url, reason: "Mine", email: "A@example.com" });
  expect(filed.status).toBe(201);
  const { id } = await filed.json<{ id: string }>();
  const shown = { id, source: "public", url, accountId, uploadId: _id, reason: "Mine", email: "a@example.com" };
  expect(await listed()).toContainEqual(expect.objectContaining({ ...shown, decision: null }));
  const decided = await asOperator("POST", `reports/${id}`, { decision: "dismissed", reason: "Fair use" });
  expect([decided.status, await decided.json()]).toMatchObject([200, { decision: "dismissed", note: "Fair use" }]);
  expect((await listed()).map((one) => one.id)).not.toContain(id);
  expect((await listed("all")).map((one) => one.id)).toContain(id);
  expect((await asOperator("POST", `reports/${"0".repeat(26)}`, { decision: "dismissed", reason: "a" })).status).toBe(
    404,
  );
});

it("An address files ten reports an hour, and bad reports are 400", async () => {
  const address = newAddress();
  for (const body of [
    {},
    { url: "", reason: "a" },
    { url: "https://a.example/", reason: "" },
    { url: "x", reason: "a", email: "b" },
  ]) {
    expect((await report(body)).status).toBe(400);
  }
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++)
    statuses.push((await report({ url: "https://a.example/", reason: "a" }, address)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(201), 429]);
});

it("`/report` is a page with a form, and the well-known addresses name it and the password's page", async () => {
  const page = await call("/report");
  expect(page.headers.get("Content-Type")).toContain("text/html");
  expect(await page.text()).toContain('name="reason"');
  expect(page.headers.get("Content-Security-Policy")).toMatch(/script-src 'sha256-/);
  const contact = await (await call("/.well-known/security.txt")).text();
  expect(contact).toMatch(/^Contact: https:\/\/media\.example\/report\nExpires: 20/);
  const change = await call("/.well-known/change-password", { redirect: "manual" });
  expect([change.status, change.headers.get("Location")]).toEqual([302, "/dashboard/settings"]);
});

describe("Reports with Turnstile", () => {
  const VARS = {
    TURNSTILE_SITE_KEY: "0x4AAAAAAAsite",
    TURNSTILE_SECRET_KEY: "0x4AAAAAAAsecret",
    TURNSTILE_VERIFY_URL: "https://turnstile.test/siteverify",
  };

  afterEach(() => {
    vi.restoreAllMocks();
  });

  function openSiteverify(): Siteverify {
    const siteverify = new Siteverify(VARS.TURNSTILE_SECRET_KEY);
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => siteverify.fetch(new Request(input, init)));
    vi.spyOn(console, "error").mockImplementation(() => {});
    return siteverify;
  }

  const send = (reason: string, turnstileToken?: string, address = newAddress()) =>
    callWith(VARS, "/reports", {
      method: "POST",
      headers: { "Content-Type": "application/json", "CF-Connecting-IP": address },
      body: JSON.stringify({ url: "https://a.example/", reason, turnstileToken }),
    });
  const countOf = async (reason: string) =>
    (await listed("all")).filter((one) => (one as { reason?: string }).reason === reason).length;

  it("A report with a solved challenge is filed, and its token is valid once", async () => {
    const siteverify = openSiteverify();
    const reason = crypto.randomUUID();
    const token = siteverify.solve({ hostname: "media.example", action: "register" });
    expect((await send(reason, token)).status).toBe(201);
    const again = await send(reason, token);
    expect([again.status, await again.json()]).toMatchObject([
      403,
      { code: "challenge_failed", details: { turnstileToken: "used or expired: get a new token" } },
    ]);
    expect(await countOf(reason)).toBe(1);
    expect(siteverify.questions[0]).toMatchObject({ remoteip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/) });
  });

  it.each([
    ["made up", () => "made-up"],
    ["of another page's host", (of: Siteverify) => of.solve({ hostname: "evil.example", action: "register" })],
    ["of another form", (of: Siteverify) => of.solve({ hostname: "media.example", action: "login" })],
  ])("A report with a token that is %s is 403, and files nothing", async (_, token) => {
    const siteverify = openSiteverify();
    const reason = crypto.randomUUID();
    const answer = await send(reason, token(siteverify));
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "challenge_failed" }]);
    expect(await countOf(reason)).toBe(0);
  });

  it("A report without a token is 400, and Turnstile is not called", async () => {
    const siteverify = openSiteverify();
    const answer = await send("a");
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: { turnstileToken: expect.any(String) } },
    ]);
    expect(siteverify.questions).toEqual([]);
  });

  it("A report is 503 with retryAfter and files nothing if Turnstile cannot be reached", async () => {
    openSiteverify();
    vi.mocked(globalThis.fetch).mockImplementation(() => Promise.reject(new Error("Network connection lost.")));
    const reason = crypto.randomUUID();
    const answer = await send(reason, "x");
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: "service_unavailable", details: { retryAfter: 5 } },
    ]);
    expect(await countOf(reason)).toBe(0);
  });

  it("An address's eleventh report in an hour is refused before Turnstile is called", async () => {
    const siteverify = openSiteverify();
    const address = newAddress();
    for (let sent = 0; sent < 10; sent++) expect((await send("a", "made-up", address)).status).toBe(403);
    const asked = siteverify.questions.length;
    expect((await send("a", "made-up", address)).status).toBe(429);
    expect(siteverify.questions.length).toBe(asked);
  });

  it("The page of the form has the widget, and its policy allows only the widget", async () => {
    const page = await callWith(VARS, "/report");
    expect(await page.text()).toContain(`data-sitekey="${VARS.TURNSTILE_SITE_KEY}"`);
    expect(page.headers.get("Content-Security-Policy")).toMatch(
      /script-src 'sha256-[^']+' https:\/\/challenges\.cloudflare\.com;.*frame-src https:\/\/challenges\.cloudflare\.com;/,
    );
  });
});
