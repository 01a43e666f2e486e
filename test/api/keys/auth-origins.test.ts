import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";

// AUTH-10: pages of other origins cannot have visitors' browsers guess passwords.

const PATHS = ["/auth/login", "/auth/register", "/auth/registration", "/auth/unknown", "/%61uth/login"];

function ask(path: string, origin: string, init: RequestInit = {}, origins = ""): Promise<Response> {
  const request = new Request(`http://localhost${path}`, { ...init, headers: { ...init.headers, Origin: origin } });
  const answer = createApp().fetch(request, { ...env, AUTH_ORIGINS: origins } as Env, createExecutionContext());
  return Promise.resolve(answer);
}

const PREFLIGHT = {
  method: "OPTIONS",
  headers: { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type" },
};

it.each(PATHS)("A page of another origin gets no CORS headers for %s", async (path) => {
  const preflight = await ask(path, "https://evil.example", PREFLIGHT);
  expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
  const answer = await ask(path, "https://evil.example", { method: "POST" });
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
});

it("A configured origin gets CORS headers only for itself, without cookies", async () => {
  const origins = "https://app.example, https://other.example";
  for (const origin of ["https://app.example", "https://other.example"]) {
    const { headers } = await ask("/auth/login", origin, PREFLIGHT, origins);
    expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(headers.get("Vary")).toContain("Origin");
  }
  for (const origin of ["https://app.example.evil.example", "http://app.example", "null", ""])
    expect(
      (await ask("/auth/login", origin, PREFLIGHT, origins)).headers.get("Access-Control-Allow-Origin"),
    ).toBeNull();
});

it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"])(
  "A log-in of type %s, which needs no preflight, is refused before the password is checked",
  async (type) => {
    const body = JSON.stringify({ email: "a@example.com", password: "a password of somebody" });
    const answer = await ask("/auth/login", "https://evil.example", {
      method: "POST",
      headers: { "Content-Type": type },
      body,
    });
    expect([400, 415]).toContain(answer.status);
    expect(await answer.json()).not.toMatchObject({ code: "wrong_credentials" });
  },
);
