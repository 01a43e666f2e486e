import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stack, startApi } from "../support/stack/miniflare.ts";

/** The runtime evicts an object that had no request for ten seconds. */
const IDLE_MS = 12_500;
const BURSTS = 3;
/** The time that the bursts need, which all fall into one window. */
const NEEDED_MS = (BURSTS - 1) * IDLE_MS + 8000;

let api: Stack;

beforeAll(async () => {
  api = await startApi();
});

afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function openAccount(): Promise<string> {
  const body = JSON.stringify({ email: "idle@example.com", password: "correct horse battery staple" });
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(new URL("/auth/register", api.url), { method: "POST", headers, body });
  return ((await response.json()) as { token: string }).token;
}

it("A meter that is evicted between bursts admits at most a tenth over the minute's limit", async () => {
  const token = await openAccount();
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < NEEDED_MS) await sleep(leftMs + 200);
  const minute = Math.floor(Date.now() / 60_000);
  let admitted = 0;
  for (let burst = 0; burst < BURSTS; burst++) {
    if (burst > 0) await sleep(IDLE_MS);
    const headers = { Authorization: `Bearer ${token}` };
    const answers = await Promise.all(
      Array.from({ length: 31 }, () => fetch(new URL("/settings", api.url), { headers })),
    );
    for (const answer of answers) await answer.arrayBuffer();
    admitted += answers.filter(({ status }) => status === 200).length;
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
  }
  expect(Math.floor(Date.now() / 60_000)).toBe(minute);
  expect(admitted).toBeGreaterThanOrEqual(60);
  expect(admitted).toBeLessThanOrEqual(66);
}, 150_000);
