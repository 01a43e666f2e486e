import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newAddress } from "../support/api/api.ts";
import { callWith, inviteByCode, newEmail, OPERATOR, register } from "../support/api/registration.ts";
import { Siteverify } from "../support/api/siteverify.ts";

const VARS = {
  TURNSTILE_SITE_KEY: "0x4AAAAAAAsite",
  TURNSTILE_SECRET_KEY: "0x4AAAAAAAsecret",
  TURNSTILE_VERIFY_URL: "https://turnstile.test/siteverify",
};
const HOST = "media.example";

let siteverify: Siteverify;

beforeEach(() => {
  siteverify = new Siteverify(VARS.TURNSTILE_SECRET_KEY);
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => siteverify.fetch(new Request(input, init)));
  vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

const solved = () => siteverify.solve({ hostname: HOST, action: "register" });

describe("Registration with Turnstile", () => {
  it("A registration with Turnstile opens an account with the form's token, once", async () => {
    const turnstileToken = solved();
    expect((await register(VARS, { email: newEmail(), turnstileToken })).status).toBe(201);
    const again = await register(VARS, { email: newEmail(), turnstileToken });
    expect([again.status, await again.json()]).toEqual([
      403,
      {
        error: "The anti-bot check failed",
        code: "challenge_failed",
        statusCode: 403,
        details: { turnstileToken: "used or expired: get a new token" },
      },
    ]);
  });

  it("The registration page gets its widget's site key", async () => {
    expect(await (await callWith(VARS, "/auth/registration")).json()).toEqual({
      mode: "open",
      turnstile: { siteKey: VARS.TURNSTILE_SITE_KEY, action: "register" },
      mail: false,
    });
  });

  it("A registration without a token is 400, and Turnstile is not called", async () => {
    const response = await register(VARS, { email: newEmail() });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: "Invalid request", code: "invalid_request", details: { turnstileToken: expect.any(String) } },
    ]);
    expect(siteverify.questions).toEqual([]);
  });

  it.each([
    ["made up", () => "made-up"],
    ["of another page's host", () => siteverify.solve({ hostname: "evil.example", action: "register" })],
    ["of another form", () => siteverify.solve({ hostname: HOST, action: "login" })],
    ["of a form that names no action", () => siteverify.solve({ hostname: HOST })],
  ])("A registration with a token that is %s is 403, and opens nothing", async (_, token) => {
    const email = newEmail();
    const response = await register(VARS, { email, turnstileToken: token() });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error: "The anti-bot check failed", code: "challenge_failed" },
    ]);
    expect((await register(VARS, { email, turnstileToken: solved() })).status).toBe(201);
  });

  it("The hosts of the pages come from a variable", async () => {
    const vars = { ...VARS, TURNSTILE_HOSTNAMES: "www.example, App.Example" };
    const of = (hostname: string) => siteverify.solve({ hostname, action: "register" });
    expect((await register(vars, { email: newEmail(), turnstileToken: of("app.example") })).status).toBe(201);
    expect((await register(vars, { email: newEmail(), turnstileToken: of(HOST) })).status).toBe(403);
  });

  it("A Turnstile call whose answer was lost is repeated under the same idempotency key", async () => {
    siteverify.loseAnswers = 1;
    expect((await register(VARS, { email: newEmail(), turnstileToken: solved() })).status).toBe(201);
    const keys = siteverify.questions.map(({ idempotency_key }) => idempotency_key);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(siteverify.questions[0]).toMatchObject({ remoteip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/) });
  });

  it.each([
    ["does not answer", () => Promise.reject(new Error("Network connection lost."))],
    ["is too slow", () => Promise.reject(new DOMException("The operation timed out", "TimeoutError"))],
    ["answers no JSON", () => Promise.resolve(new Response("<html>502</html>", { status: 502 }))],
    ["answers another shape", () => Promise.resolve(Response.json({ success: "yes" }))],
    ["fails", () => Promise.resolve(Response.json({ success: false, "error-codes": ["internal-error"] }))],
    [
      "does not know our secret",
      () => Promise.resolve(Response.json({ success: false, "error-codes": ["invalid-input-secret"] })),
    ],
  ])("A registration is 503 with retryAfter if Turnstile %s", async (_, answer) => {
    vi.mocked(globalThis.fetch).mockImplementation(answer);
    const response = await register(VARS, { email: newEmail(), turnstileToken: "x" });
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        error: "Service temporarily unavailable",
        code: "service_unavailable",
        statusCode: 503,
        details: { retryAfter: 5 },
      },
    ]);
    expect(response.headers.get("Retry-After")).toBe("5");
  });

  it("A registration beyond the limit of attempts is refused before Turnstile is called", async () => {
    const vars = { ...VARS, ADDRESS_REGISTRATIONS_PER_HOUR: "1" };
    const address = { "CF-Connecting-IP": newAddress() };
    expect((await register(vars, { email: newEmail(), turnstileToken: solved() }, address)).status).toBe(201);
    expect((await register(vars, { email: newEmail(), turnstileToken: solved() }, address)).status).toBe(429);
    expect(siteverify.questions.length).toBe(1);
  });

  it("An invited person must pass Turnstile, too, and it is checked before the invitation", async () => {
    const vars = { ...VARS, REGISTRATION: "invited" };
    const email = newEmail();
    const invitation = await inviteByCode(email);
    expect((await register(vars, { email, invitation, turnstileToken: "made-up" })).status).toBe(403);
    expect((await register(vars, { email: newEmail(), turnstileToken: solved() })).status).toBe(403);
    expect((await register(vars, { email, invitation, turnstileToken: solved() })).status).toBe(201);
  });

  it("A registration by the operator needs no Turnstile token", async () => {
    expect((await register(VARS, { email: newEmail() }, OPERATOR)).status).toBe(201);
  });

  it.each(["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"])("Registration is closed if %s is missing", async (name) => {
    const response = await register({ ...VARS, [name]: "" }, { email: newEmail(), turnstileToken: solved() });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error: "Registration is closed", code: "registration_closed" },
    ]);
  });
});
