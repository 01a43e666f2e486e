import { expect } from "vitest";
import { call, callJson } from "./api.ts";

export interface Share {
  readonly _id: string;
  readonly url: string;
  readonly [field: string]: unknown;
}

export async function share(token: string, body: object): Promise<Share> {
  const response = await callJson("POST", "/shares", token, body);
  expect(response.status, await response.clone().text()).toBe(201);
  return response.json();
}

/** The page as a visitor without scripts gets it. */
export function visit(url: string, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(url);
  return call(pathname + search, { redirect: "manual", ...init });
}

export function giveCode(url: string, password: string, headers: Record<string, string> = {}): Promise<Response> {
  const form = { "Content-Type": "application/x-www-form-urlencoded", ...headers };
  return visit(url, { method: "POST", headers: form, body: new URLSearchParams({ password }).toString() });
}
