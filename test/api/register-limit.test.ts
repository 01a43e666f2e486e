import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { BASE_URL, callJson, newAddress } from "../support/api/api.ts";

const PASSWORD = "correct horse battery staple";
const PER_HOUR = 3;

async function register(address: string, body: unknown): Promise<Response> {
  const ctx = createExecutionContext();
  const request = new Request(`${BASE_URL}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": address },
    body: JSON.stringify(body),
  });
  const limits = { ADDRESS_REGISTRATIONS_PER_HOUR: String(PER_HOUR) };
  const response = await createApp().fetch(request, { ...env, ...limits }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

function newEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

async function openSome(address: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) {
    statuses.push((await register(address, { email: newEmail(), password: PASSWORD })).status);
  }
  return statuses;
}

describe("Accounts opened from one address", () => {
  it("Registrations from one address are limited by the hour: 429 with the seconds to wait", async () => {
    const address = newAddress();
    expect(await openSome(address, PER_HOUR)).toEqual([201, 201, 201]);
    const email = newEmail();
    const response = await register(address, { email, password: PASSWORD });
    expect(response.status).toBe(429);
    const body = await response.json<{ details: { retryAfter: number } }>();
    const details = { reason: "attempts", retryAfter: expect.any(Number) };
    expect(body).toEqual({ error: "Too many attempts", code: "too_many_attempts", statusCode: 429, details });
    expect(body.details.retryAfter).toBeGreaterThan(3500);
    expect(body.details.retryAfter).toBeLessThanOrEqual(3600);
    expect(response.headers.get("Retry-After")).toBe(String(body.details.retryAfter));
    expect((await callJson("POST", "/auth/login", undefined, { email, password: PASSWORD })).status).toBe(401);
  });

  it("Registrations from other addresses are not limited; a customer's IPv6 addresses count as one", async () => {
    expect(await openSome("2001:db8:9:9::1", PER_HOUR)).toEqual([201, 201, 201]);
    expect(await openSome("2001:db8:9:9:ffff::2", 1)).toEqual([429]);
    expect(await openSome("2001:db8:9:a::1", 1)).toEqual([201]);
  });

  it("Registrations with a taken email count, malformed requests do not", async () => {
    const address = newAddress();
    const email = newEmail();
    for (let i = 0; i < PER_HOUR; i++) expect((await register(address, { email })).status).toBe(400);
    expect((await register(address, { email, password: PASSWORD })).status).toBe(201);
    expect((await register(address, { email, password: PASSWORD })).status).toBe(409);
    expect((await register(address, { email, password: PASSWORD })).status).toBe(409);
    expect((await register(address, { email, password: PASSWORD })).status).toBe(429);
  });

  it("Simultaneous registrations cannot exceed the limit", async () => {
    const address = newAddress();
    const tries = Array.from({ length: 8 }, () => register(address, { email: newEmail(), password: PASSWORD }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
  });
});
