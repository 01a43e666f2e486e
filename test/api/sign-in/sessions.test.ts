import { describe, expect, it } from "vitest";
import { meterOf } from "../../support/api/account-state.ts";
import { bearer, call, newAddress, openAccount } from "../../support/api/api.ts";

interface ListedSession {
  readonly _id: string;
  readonly device: string;
  readonly address: string;
  readonly lastSeenAt: string;
  readonly isCurrent: boolean;
}

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function logIn({ email, password }: { email: string; password: string }, address: string, agent: string) {
  const response = await call("/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": address, "User-Agent": agent },
    body: JSON.stringify({ email, password }),
  });
  expect(response.status).toBe(200);
  return (await response.json<{ token: string }>()).token;
}

async function listSessions(token: string): Promise<ListedSession[]> {
  const response = await call("/sessions", { headers: bearer(token) });
  expect(response.status).toBe(200);
  return (await response.json<{ sessions: ListedSession[] }>()).sessions;
}

function endSession(token: string, id: string): Promise<Response> {
  return call(`/sessions/${id}`, { method: "DELETE", headers: bearer(token) });
}

describe("Sessions", () => {
  it("`GET /sessions` lists the open sessions with device, address and last use, newest first", async () => {
    const account = await openAccount();
    const [first, second] = [newAddress(), newAddress()];
    const token = await logIn(account, first, FIREFOX);
    await logIn(account, second, "curl/8.11.0");
    const sessions = await listSessions(token);
    expect(sessions.map(({ device, address, isCurrent }) => ({ device, address, isCurrent }))).toEqual([
      { device: "curl", address: second, isCurrent: false },
      { device: "Firefox on Windows", address: first, isCurrent: true },
      { device: "Test device", address: "192.0.2.1", isCurrent: false },
    ]);
    for (const { lastSeenAt } of sessions) expect(Date.parse(lastSeenAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it("`DELETE /sessions/:id` ends a session at once; a second call is 404", async () => {
    const account = await openAccount();
    const thief = await logIn(account, newAddress(), FIREFOX);
    const ended = (await listSessions(account.token)).find(({ isCurrent }) => !isCurrent)?._id ?? "";
    expect((await endSession(account.token, ended)).status).toBe(200);
    expect((await call("/images", { headers: bearer(thief) })).status).toBe(401);
    const again = await endSession(account.token, ended);
    expect(again.status).toBe(404);
    expect(await again.json()).toMatchObject({ code: "session_not_found" });
    expect((await call("/images", { headers: bearer(account.token) })).status).toBe(200);
  });

  it("A session of another account cannot be ended", async () => {
    const [owner, stranger] = [await openAccount(), await openAccount()];
    const [session] = await listSessions(owner.token);
    expect((await endSession(stranger.token, session?._id ?? "")).status).toBe(404);
    expect((await call("/images", { headers: bearer(owner.token) })).status).toBe(200);
  });

  it("A session's last use has the address of its requests and is exact to ten minutes", async () => {
    const { id } = await openAccount();
    const meter = meterOf(id);
    const [session] = await meter.listSessions();
    const admit = (address: string) =>
      meter.admit({ kind: "session", sessionId: session?.id ?? "", address }).then(() => meter.listSessions());
    expect((await admit("198.51.100.7"))[0]).toEqual(session);
    const { runInDurableObject } = await import("cloudflare:test");
    await runInDurableObject(meter, (_, { storage }) => {
      storage.sql.exec("UPDATE sessions SET seen_at = seen_at - 600000");
    });
    const [seen] = await admit("198.51.100.7");
    expect(seen?.address).toBe("198.51.100.7");
    expect(seen?.seenAt).toBeGreaterThanOrEqual(session?.seenAt ?? Number.POSITIVE_INFINITY);
  });
});
