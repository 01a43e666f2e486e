import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pacedFetch } from "../../src/dashboard/api/paced-fetch.ts";
import { readSession, setSession } from "../../src/dashboard/api/session-store.ts";
import { forgetUsage, readUsage } from "../../src/dashboard/api/usage-store.ts";

const NOW = 1_700_000_000_000;
const calls: number[] = [];

function answer(remaining: number, init: ResponseInit = {}): Response {
  const headers = new Headers({
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(NOW / 1000 + 12),
    "X-Operations-Used": "3",
    "X-Operations-Limit": "1000",
    "X-Storage-Used": "7",
    "X-Storage-Limit": "1000",
    ...(init.headers as Record<string, string>),
  });
  return new Response("{}", { ...init, headers });
}

let next: () => Response;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  calls.length = 0;
  next = () => answer(0);
  vi.stubGlobal("fetch", async () => {
    calls.push(Date.now() - NOW);
    return next();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  forgetUsage();
});

it("`pacedFetch` takes the account's figures from every answer", async () => {
  await pacedFetch("/stats/overview");
  expect(readUsage()).toMatchObject({ storage: { used: 7, limit: 1000 }, operations: { used: 3, limit: 1000 } });
});

it("`pacedFetch` holds reads until the next minute when none is left, and lets changes pass", async () => {
  await pacedFetch("/images");
  const read = pacedFetch("/images?page=2");
  await pacedFetch("/images/1", { method: "PATCH" });
  await vi.advanceTimersByTimeAsync(11_900);
  expect(calls).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(100);
  await read;
  expect(calls).toEqual([0, 0, 12_000]);
});

it("`pacedFetch` drops a waiting read that is no longer wanted", async () => {
  await pacedFetch("/images");
  const abort = new AbortController();
  const read = pacedFetch("/images?page=2", { signal: abort.signal });
  abort.abort(new Error("gone"));
  await expect(read).rejects.toThrow("gone");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(calls).toEqual([0]);
});

it("`pacedFetch` ends the session at a 401, but not after a wrong password", async () => {
  setSession("open", "account-1");
  next = () => answer(9, { status: 401 });
  await pacedFetch("https://media.example/auth/login", { method: "POST" });
  expect(readSession()).toBe("open");
  void pacedFetch("https://media.example/images");
  await expect.poll(readSession).toBe("over");
});

it("A request that found the session ended is sent after the log-in, even a slow one", async () => {
  setSession("open", "account-1");
  next = () => answer(9, { status: 401 });
  const within = AbortSignal.timeout(1);
  const change = pacedFetch("/images/1", { method: "PATCH", body: "{}", signal: within });
  await expect.poll(readSession).toBe("over");
  await expect.poll(() => within.aborted).toBe(true);
  next = () => answer(9);
  setSession("open", "account-1");
  expect((await change).status).toBe(200);
});

it("A 401 that comes after a log-in does not end the session, and its request is sent again", async () => {
  setSession("open", "account-1");
  setSession("over");
  let refuse: () => void = () => undefined;
  const late = new Promise<Response>((resolve) => {
    refuse = () => resolve(answer(9, { status: 401 }));
  });
  // Requests of earlier tests are sent after the log-in, too.
  const isLate = (input: unknown) => input === "/late" && calls.push(0) === 1;
  vi.stubGlobal("fetch", async (input: unknown) => (isLate(input) ? late : answer(9)));
  const read = pacedFetch("/late");
  await vi.advanceTimersByTimeAsync(0);
  setSession("open", "account-1");
  refuse();
  expect([(await read).status, calls.length, readSession()]).toEqual([200, 2, "open"]);
});

it("A request that is cancelled during the log-in is not sent", async () => {
  setSession("open", "account-1");
  next = () => answer(9, { status: 401 });
  const abort = new AbortController();
  const read = pacedFetch("/images", { signal: abort.signal });
  await expect.poll(readSession).toBe("over");
  abort.abort(new Error("gone"));
  await expect(read).rejects.toThrow("gone");
});
