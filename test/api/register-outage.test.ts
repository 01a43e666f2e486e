import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { BASE_URL, callJson, newAddress } from "../support/api/api.ts";

const lost = async () => {
  throw Object.assign(new Error("Network connection lost."), { retryable: true });
};

const unreachable = {
  getByName: () => ({
    register: lost,
    unregister: lost,
  }),
} as unknown as Env["ACCOUNT_METER"];

it("A registration that fails before its end is 503, and its email is free", async () => {
  const body = { email: `${crypto.randomUUID()}@example.com`, password: "correct horse battery staple" };
  const ctx = createExecutionContext();
  const request = new Request(`${BASE_URL}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": newAddress() },
    body: JSON.stringify(body),
  });
  const response = await createApp().fetch(request, { ...env, ACCOUNT_METER: unreachable }, ctx);
  await waitOnExecutionContext(ctx);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ details: { retryAfter: expect.any(Number) } });
  const left = "SELECT (SELECT count(*) FROM accounts WHERE email = ?) AS accounts";
  expect(await env.DB.prepare(left).bind(body.email).first()).toEqual({ accounts: 0 });
  expect((await callJson("POST", "/auth/register", undefined, body)).status).toBe(201);
});
