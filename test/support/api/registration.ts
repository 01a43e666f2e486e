import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createApp } from "../../../src/app.ts";
import { BASE_URL, bearer, callJson, newAddress } from "./api.ts";

/** Registrations at a service with other variables. */

export const PASSWORD = "correct horse battery staple";

export function newEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** One request to the app with these variables. It comes from a new address unless one is given. */
export async function callWith(vars: Record<string, string>, path: string, init: RequestInit = {}): Promise<Response> {
  const ctx = createExecutionContext();
  const headers = new Headers(init.headers);
  if (!headers.has("CF-Connecting-IP")) headers.set("CF-Connecting-IP", newAddress());
  const request = new Request(BASE_URL + path, { ...init, headers });
  const response = await createApp().fetch(request, { ...env, ...vars }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

export function register(
  vars: Record<string, string>,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return callWith(vars, "/auth/register", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ password: PASSWORD, ...body }),
  });
}

export function invite(email: string, body: object = {}): Promise<Response> {
  return callJson("PUT", `/admin/invitations/${encodeURIComponent(email)}`, env.ADMIN_TOKEN, body);
}

/** Invites an address. @returns the code */
export async function inviteByCode(email: string, body: object = {}): Promise<string> {
  const response = await invite(email, { ...body, show: true });
  if (response.status !== 200) throw new Error(`The invitation was answered ${response.status}`);
  return (await response.json<{ code: string }>()).code;
}

export const OPERATOR = bearer(env.ADMIN_TOKEN);
