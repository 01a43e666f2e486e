import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bearer, call, callJson, newAddress } from "../support/api/api.ts";
import { failingDatabases } from "../support/api/databases.ts";
import { callWith, invite, newEmail, OPERATOR, PASSWORD, register } from "../support/api/registration.ts";

const CLOSED = { REGISTRATION: "closed" };
const INVITED = { REGISTRATION: "invited" };
const NOT_INVITED = { error: "Registration is by invitation only", statusCode: 403 };

async function setExpiry(email: string, expiresAt: number): Promise<void> {
  await env.DB.prepare("UPDATE invitations SET expires_at = ? WHERE email = ?").bind(expiresAt, email).run();
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a closed registration", () => {
  it("is 403 for everybody, in the documented shape, and opens nothing", async () => {
    const email = newEmail();
    const response = await register(CLOSED, { email });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: "Registration is closed", statusCode: 403 });
    expect((await callJson("POST", "/auth/login", undefined, { email, password: PASSWORD })).status).toBe(401);
  });

  it("does not tell who has an account, or was invited, and asks no database", async () => {
    const [known, invited] = [newEmail(), newEmail()];
    expect((await register({}, { email: known })).status).toBe(201);
    expect((await invite(invited)).status).toBe(200);
    const vars = { ...CLOSED, ...(failingDatabases() as unknown as Record<string, string>) };
    const bodies = await Promise.all(
      [known, invited, newEmail()].map(async (email) => (await register(vars, { email })).text()),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain("Registration is closed");
  });

  it("is open to the operator", async () => {
    expect((await register(CLOSED, { email: newEmail() }, OPERATOR)).status).toBe(201);
  });

  it("is what a misspelt mode is taken for, and the log says so", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const REGISTRATION of ["Closed", "invite", "open ", "true"]) {
      const response = await register({ REGISTRATION }, { email: newEmail() });
      expect([response.status, await response.json()]).toEqual([
        403,
        { error: "Registration is closed", statusCode: 403 },
      ]);
      expect(logged.mock.calls.flat().join("\n")).toContain(
        JSON.stringify(`REGISTRATION is "${REGISTRATION}"`).slice(0, -1),
      );
    }
    // The log of an isolate has it once.
    const calls = logged.mock.calls.length;
    await register({ REGISTRATION: "true" }, { email: newEmail() });
    expect(logged.mock.calls.length).toBe(calls);
  });
});

it("registration is open where nothing is said", async () => {
  expect((await register({ REGISTRATION: "" }, { email: newEmail() })).status).toBe(201);
  expect(await (await call("/auth/registration")).json()).toEqual({ mode: "open", turnstile: null });
});

describe("a registration by invitation", () => {
  it("lets an invited address in, whatever case it was invited and is typed in", async () => {
    const email = newEmail();
    expect((await invite(email.toUpperCase())).status).toBe(200);
    const response = await register(INVITED, { email: `${email.slice(0, 1).toUpperCase()}${email.slice(1)}` });
    expect(response.status).toBe(201);
    const { account } = await response.json<{ account: { email: string; tier: string } }>();
    expect(account).toMatchObject({ email, tier: "free" });
  });

  it("refuses all others alike: unknown, registered, invited and registered, run out, taken back", async () => {
    const [registered, used, expired, uninvited] = [newEmail(), newEmail(), newEmail(), newEmail()];
    expect((await register({}, { email: registered })).status).toBe(201);
    for (const email of [used, expired, uninvited]) expect((await invite(email)).status).toBe(200);
    expect((await register(INVITED, { email: used })).status).toBe(201);
    await setExpiry(expired, Date.now() - 1);
    const path = `/admin/invitations/${uninvited}`;
    expect((await call(path, { method: "DELETE", headers: OPERATOR })).status).toBe(200);
    for (const email of [newEmail(), registered, used, expired, uninvited]) {
      const response = await register(INVITED, { email });
      expect([response.status, await response.json()]).toEqual([403, NOT_INVITED]);
    }
  });

  it("uses an invitation once, also by several at the same time", async () => {
    const email = newEmail();
    await invite(email);
    const responses = await Promise.all([1, 2, 3, 4].map(() => register(INVITED, { email })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
  });

  it("counts attempts before it looks who is invited: 429 for both", async () => {
    const invited = newEmail();
    await invite(invited);
    const address = { "CF-Connecting-IP": newAddress() };
    const vars = { ...INVITED, ADDRESS_REGISTRATIONS_PER_HOUR: "2" };
    const statuses: number[] = [];
    for (const email of [newEmail(), newEmail(), newEmail(), invited]) {
      statuses.push((await register(vars, { email }, address)).status);
    }
    expect(statuses).toEqual([403, 403, 429, 429]);
  });

  it("gives the invitation back where the account could not be opened to its end", async () => {
    const email = newEmail();
    await invite(email);
    // The account is there, its answer is lost, and it is undone.
    const lost = {
      getByName: (name: string) => {
        const stub = env.ACCOUNT_METER.getByName(name);
        return {
          register: async (...args: Parameters<typeof stub.register>) => {
            await stub.register(...args);
            throw new Error("Network connection lost.");
          },
          unregister: () => stub.unregister(),
        };
      },
    } as unknown as string;
    expect((await register({ ...INVITED, ACCOUNT_METER: lost }, { email })).status).toBeGreaterThanOrEqual(500);
    expect((await register(INVITED, { email })).status).toBe(201);
  });

  it("is over with the erased account: nothing is left of its address", async () => {
    const email = newEmail();
    await invite(email);
    const { token } = await (await register(INVITED, { email })).json<{ token: string }>();
    expect((await callJson("DELETE", "/account", token, { password: PASSWORD })).status).toBe(200);
    const left = env.DB.prepare("SELECT count(*) AS n FROM invitations WHERE email = ?").bind(email);
    expect(await left.first()).toEqual({ n: 0 });
    expect((await register(INVITED, { email })).status).toBe(403);
  });
});

describe("the operator's invitations", () => {
  it("are renewed by another one, listed, and taken back", async () => {
    const email = newEmail();
    const first = await (await invite(email, { days: 1 })).json<{ expiresAt: string; usedAt: null }>();
    const days = (Date.parse(first.expiresAt) - Date.now()) / 86_400_000;
    expect([Math.round(days), first.usedAt]).toEqual([1, null]);
    const second = await (await invite(email)).json<{ expiresAt: string }>();
    expect(Math.round((Date.parse(second.expiresAt) - Date.now()) / 86_400_000)).toBe(30);
    const listed = await walk();
    expect(listed.filter((each) => each.email === email)).toEqual([second]);
    const remove = () => call(`/admin/invitations/${email}`, { method: "DELETE", headers: OPERATOR });
    expect((await remove()).status).toBe(200);
    const again = await remove();
    expect([again.status, await again.json()]).toEqual([404, { error: "Invitation not found", statusCode: 404 }]);
  });

  it("are not for an address that has an account", async () => {
    const email = newEmail();
    await register({}, { email });
    expect((await invite(email)).status).toBe(409);
  });

  it.each([{ days: 0 }, { days: 366 }, { days: 1.5 }, { days: "7" }, { until: 1 }])("are not of %j", async (body) => {
    expect((await invite(newEmail(), body)).status).toBe(400);
  });

  it("are listed a hundred at a time, each once", async () => {
    const stem = crypto.randomUUID();
    const emails = Array.from({ length: 101 }, (_, at) => `${stem}-${String(at).padStart(3, "0")}@example.com`);
    const insert = env.DB.prepare("INSERT INTO invitations (email, created_at, expires_at) VALUES (?, 1, 2)");
    await env.DB.batch(emails.map((email) => insert.bind(email)));
    const listed = (await walk()).map(({ email }) => email);
    expect(listed.filter((email) => email.startsWith(stem))).toEqual(emails);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

async function walk(): Promise<{ email: string }[]> {
  const all: { email: string }[] = [];
  let after: string | null = null;
  do {
    const query: string = after === null ? "" : `?after=${encodeURIComponent(after)}`;
    const response = await callWith({}, `/admin/invitations${query}`, { headers: bearer(env.ADMIN_TOKEN) });
    const page: { invitations: { email: string }[]; next: string | null } = await response.json();
    expect(page.invitations.length).toBeLessThanOrEqual(100);
    all.push(...page.invitations);
    after = page.next;
  } while (after !== null);
  return all;
}
