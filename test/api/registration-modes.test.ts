import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import invitationCodes from "../../migrations/directory/0005_invitation_codes.sql?raw";
import { splitStatements } from "../../src/db/migrate.ts";
import { renderMail } from "../../src/services/mail/templates/index.ts";
import { bearer, call, callJson, newAddress } from "../support/api/api.ts";
import { failingDatabases } from "../support/api/databases.ts";
import { callWith, invite, inviteByCode, newEmail, OPERATOR, PASSWORD, register } from "../support/api/registration.ts";

const CLOSED = { REGISTRATION: "closed" };
const INVITED = { REGISTRATION: "invited" };
const NOT_INVITED = {
  error: "Registration needs the code of an invitation to this address",
  code: "invitation_required",
  statusCode: 403,
};

async function setExpiry(email: string, expiresAt: number): Promise<void> {
  await env.DB.prepare("UPDATE invitations SET expires_at = ? WHERE email = ?").bind(expiresAt, email).run();
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("Closed registration", () => {
  it("A closed registration is the documented 403 for all, and opens no account", async () => {
    const email = newEmail();
    const response = await register(CLOSED, { email });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: "Registration is closed",
      code: "registration_closed",
      statusCode: 403,
    });
    expect((await callJson("POST", "/auth/login", undefined, { email, password: PASSWORD })).status).toBe(401);
  });

  it("A closed registration reveals no account or invitation, and asks no database", async () => {
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

  it("A closed registration is open to the operator", async () => {
    expect((await register(CLOSED, { email: newEmail() }, OPERATOR)).status).toBe(201);
  });

  it("A misspelt registration mode means closed, and is logged", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const REGISTRATION of ["Closed", "invite", "open ", "true"]) {
      const response = await register({ REGISTRATION }, { email: newEmail() });
      expect([response.status, await response.json()]).toEqual([
        403,
        { error: "Registration is closed", code: "registration_closed", statusCode: 403 },
      ]);
      expect(logged.mock.calls.flat().join("\n")).toContain(
        JSON.stringify(`REGISTRATION is "${REGISTRATION}"`).slice(0, -1),
      );
    }
    // An isolate logs it once.
    const calls = logged.mock.calls.length;
    await register({ REGISTRATION: "true" }, { email: newEmail() });
    expect(logged.mock.calls.length).toBe(calls);
  });
});

it("Registration is open by default", async () => {
  expect((await register({ REGISTRATION: "" }, { email: newEmail() })).status).toBe(201);
  expect(await (await call("/auth/registration")).json()).toEqual({ mode: "open", turnstile: null, mail: false });
});

describe("Registration by invitation", () => {
  it("An invited address can register, in any case of its letters", async () => {
    const email = newEmail();
    const invitation = await inviteByCode(email.toUpperCase());
    const given = `${email.slice(0, 1).toUpperCase()}${email.slice(1)}`;
    const response = await register(INVITED, { email: given, invitation });
    expect(response.status).toBe(201);
    const { account } = await response.json<{ account: { email: string; tier: string } }>();
    expect(account).toMatchObject({ email, tier: "free" });
  });

  it("An invited address without its code is refused, so a stranger cannot take its account", async () => {
    const [invited, other] = [newEmail(), newEmail()];
    const invitation = await inviteByCode(invited);
    const foreign = await inviteByCode(other);
    for (const body of [{}, { invitation: foreign }, { invitation: invitation.slice(0, -1) }]) {
      const response = await register(INVITED, { email: invited, ...body });
      expect([response.status, await response.json()]).toEqual([403, NOT_INVITED]);
    }
    expect((await register(INVITED, { email: invited, invitation })).status).toBe(201);
  });

  it("Uninvited, registered, expired and withdrawn addresses are refused alike", async () => {
    const [registered, used, expired, uninvited] = [newEmail(), newEmail(), newEmail(), newEmail()];
    expect((await register({}, { email: registered })).status).toBe(201);
    const codes = new Map<string, string>();
    for (const email of [used, expired, uninvited]) codes.set(email, await inviteByCode(email));
    expect((await register(INVITED, { email: used, invitation: codes.get(used) })).status).toBe(201);
    await setExpiry(expired, Date.now() - 1);
    const path = `/admin/invitations/${uninvited}`;
    expect((await call(path, { method: "DELETE", headers: OPERATOR })).status).toBe(200);
    for (const email of [newEmail(), registered, used, expired, uninvited]) {
      const response = await register(INVITED, { email, invitation: codes.get(email) ?? "a made-up code" });
      expect([response.status, await response.json()]).toEqual([403, NOT_INVITED]);
    }
  });

  it("A code is used up and checked while registration is open, too", async () => {
    const email = newEmail();
    const invitation = await inviteByCode(email);
    expect((await register({}, { email: newEmail(), invitation })).status).toBe(403);
    expect((await register({}, { email, invitation })).status).toBe(201);
    expect((await register({}, { email, invitation })).status).toBe(403);
  });

  it("An invitation can be used once, also by several requests at the same time", async () => {
    const email = newEmail();
    const invitation = await inviteByCode(email);
    const responses = await Promise.all([1, 2, 3, 4].map(() => register(INVITED, { email, invitation })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
  });

  it("Attempts are counted before the invitation is looked up: 429 for all", async () => {
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

  it("An invitation is valid again if the account could not be opened", async () => {
    const email = newEmail();
    const invitation = await inviteByCode(email);
    // The account was opened, its answer was lost, and the account is undone.
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
    expect((await register({ ...INVITED, ACCOUNT_METER: lost }, { email, invitation })).status).toBeGreaterThanOrEqual(
      500,
    );
    expect((await register(INVITED, { email, invitation })).status).toBe(201);
  });

  it("An invitation is deleted with its erased account, with the address", async () => {
    const email = newEmail();
    const invitation = await inviteByCode(email);
    const { token } = await (await register(INVITED, { email, invitation })).json<{ token: string }>();
    expect((await callJson("DELETE", "/account", token, { password: PASSWORD })).status).toBe(200);
    const left = env.DB.prepare("SELECT count(*) AS n FROM invitations WHERE email = ?").bind(email);
    expect(await left.first()).toEqual({ n: 0 });
    expect((await register(INVITED, { email, invitation })).status).toBe(403);
  });
});

describe("Invitations", () => {
  it("An invitation is renewed by inviting again, is listed, and can be withdrawn", async () => {
    const email = newEmail();
    const first = await (await invite(email, { days: 1 })).json<{ expiresAt: string; usedAt: null }>();
    const days = (Date.parse(first.expiresAt) - Date.now()) / 86_400_000;
    expect([Math.round(days), first.usedAt]).toEqual([1, null]);
    const { sent, code, url, ...second } = await (await invite(email)).json<
      Record<"sent" | "url", unknown> & {
        code: string;
        expiresAt: string;
      }
    >();
    expect({ sent, url }).toEqual({ sent: false, url: `https://media.example/dashboard/register?invite=${code}` });
    expect(Math.round((Date.parse(second.expiresAt) - Date.now()) / 86_400_000)).toBe(30);
    const listed = await walk();
    expect(listed.filter((each) => each.email === email)).toEqual([second]);
    const remove = () => call(`/admin/invitations/${email}`, { method: "DELETE", headers: OPERATOR });
    expect((await remove()).status).toBe(200);
    const again = await remove();
    expect([again.status, await again.json()]).toEqual([
      404,
      { error: "Invitation not found", code: "invitation_not_found", statusCode: 404 },
    ]);
  });

  it("An invitation's code has 128 bits, is stored as a hash, and is replaced by the next invitation", async () => {
    const email = newEmail();
    const [first, second] = [await inviteByCode(email), await inviteByCode(email)];
    expect(Buffer.from(second, "base64url")).toHaveLength(16);
    const row = await env.DB.prepare("SELECT * FROM invitations WHERE email = ?").bind(email).first();
    expect(JSON.stringify(row)).not.toContain(second);
    expect((await register(INVITED, { email, invitation: first })).status).toBe(403);
    expect((await register(INVITED, { email, invitation: second })).status).toBe(201);
  });

  it("An invitation's link is mailed if mail can be sent, and then not shown", async () => {
    const email = newEmail();
    const sent: { to: string; template: string; values: { code: string; days: number } }[] = [];
    const MAILS = { send: async (mail: (typeof sent)[number]) => void sent.push(mail) } as unknown as string;
    const put = (body: object) =>
      callWith({ MAIL_DEV: "true", MAILS }, `/admin/invitations/${email}`, {
        method: "PUT",
        headers: { ...OPERATOR, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    expect(await (await put({ days: 7 })).json()).toMatchObject({ sent: true, code: null, url: null });
    expect(sent).toMatchObject([{ to: email, template: "invitation", values: { days: 7 } }]);
    const [{ values }] = sent as [(typeof sent)[number]];
    expect(await (await put({ show: true })).json()).toMatchObject({ sent: false, code: expect.any(String) });
    expect(sent).toHaveLength(1);
    expect(renderMail("invitation", values, { origin: "https://media.example" }).text).toContain(
      `https://media.example/dashboard/register?invite=${values.code}`,
    );
  });

  it("The migration ends unused invitations of earlier versions, which have no code", async () => {
    const [unused, used] = [newEmail(), newEmail()];
    const insert = env.DB.prepare(
      "INSERT INTO invitations (email, created_at, expires_at, account_id) VALUES (?, 1, 4102444800000, ?)",
    );
    await env.DB.batch([insert.bind(unused, null), insert.bind(used, "someone")]);
    const [, end = ""] = splitStatements(invitationCodes);
    await env.DB.prepare(end).run();
    const rows = await env.DB.prepare("SELECT email FROM invitations WHERE expires_at = 1 AND email IN (?, ?)")
      .bind(unused, used)
      .all();
    expect(rows.results).toEqual([{ email: unused }]);
    await setExpiry(unused, Date.now() + 60_000);
    for (const invitation of ["null", "a made-up code"]) {
      expect((await register(INVITED, { email: unused, invitation })).status).toBe(403);
    }
  });

  it("An invitation of an address that has an account is refused", async () => {
    const email = newEmail();
    await register({}, { email });
    expect((await invite(email)).status).toBe(409);
  });

  it.each([{ days: 0 }, { days: 366 }, { days: 1.5 }, { days: "7" }, { until: 1 }])(
    "An invitation of %j is refused",
    async (body) => {
      expect((await invite(newEmail(), body)).status).toBe(400);
    },
  );

  it("Invitations are listed a hundred at a time, each once", async () => {
    const stem = crypto.randomUUID();
    const emails = Array.from({ length: 101 }, (_, at) => `${stem}-${String(at).padStart(3, "0")}@example.com`);
    const insert = env.DB.prepare("INSERT INTO invitations (email, created_at, expires_at) VALUES (?, 1, 2)");
    await env.DB.batch(emails.map((email) => insert.bind(email)));
    const listed = (await walk()).map(({ email }) => email);
    expect(listed.filter((email) => email.startsWith(stem))).toEqual(emails);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

describe("Upgrades of a tier by e-mail", () => {
  const setTier = async (email: string, body: object) => {
    const response = await callJson("PUT", `/admin/accounts/${email}`, env.ADMIN_TOKEN, body);
    return { status: response.status, ...(await response.json<{ code?: string; tier?: string }>()) };
  };

  it("An upgrade does not go to a stranger who registered another person's address", async () => {
    const email = newEmail();
    const registered = await (await register({}, { email })).json<{ account: { _id: string } }>();
    expect(await setTier(email, { tier: "pro" })).toMatchObject({ status: 409, code: "email_unverified" });
    expect(await setTier(email, { tier: "pro", accountId: "01arz3ndektsv4rrffq69g5fav" })).toMatchObject({
      status: 404,
    });
    expect(await setTier(email, { tier: "free" })).toMatchObject({ status: 200, tier: "free" });
    const { _id: accountId } = registered.account;
    expect(await setTier(email, { tier: "pro", accountId })).toMatchObject({ status: 200, tier: "pro" });
    expect(await setTier(email, { tier: "starter" })).toMatchObject({ status: 200, tier: "starter" });
    expect(await setTier(email, { tier: "business" })).toMatchObject({ status: 409 });
  });

  it("An account that was opened with an invitation's code, or by the operator, is upgraded by its e-mail", async () => {
    const [invited, opened] = [newEmail(), newEmail()];
    await register(INVITED, { email: invited, invitation: await inviteByCode(invited) });
    await register({}, { email: opened }, OPERATOR);
    for (const email of [invited, opened]) expect(await setTier(email, { tier: "pro" })).toMatchObject({ tier: "pro" });
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
