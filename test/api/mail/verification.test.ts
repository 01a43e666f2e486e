import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UNVERIFIED_MS, UNVERIFIED_STORAGE_BYTES } from "../../../src/domain/mail-proofs.ts";
import { TIERS } from "../../../src/domain/tiers.ts";
import { meterOf } from "../../support/api/account-state.ts";
import { newAddress, setTier } from "../../support/api/api.ts";
import { newEmail, OPERATOR, PASSWORD, register } from "../../support/api/registration.ts";
import { endVerificationTime, MailHost, ring } from "../../support/mail/mail-host.ts";

let host: MailHost;

beforeEach(() => {
  host = new MailHost();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function shown(token: string, at = host) {
  return (await at.call("GET", "/account", undefined, { token })).json<Record<string, unknown>>();
}

async function storageLimit(accountId: string): Promise<number | undefined> {
  return (await meterOf(accountId).read())?.storageLimitBytes;
}

describe("Verification of the address", () => {
  it("A registration mails a link and a code, and each verifies the address", async () => {
    for (const kind of ["token", "code"] as const) {
      const account = await host.open();
      expect(await shown(account.token)).toMatchObject({ emailVerification: "required" });
      const { token, code } = await host.readProof(account.email);
      expect(code).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
      const typed = { email: account.email.toUpperCase(), code: code.toLowerCase().replace("-", " ") };
      const answer = await host.call("POST", "/auth/verify", kind === "token" ? { token } : typed);
      expect(answer.status).toBe(200);
      expect(await shown(account.token)).toMatchObject({ emailVerification: "verified", verifyBy: null });
    }
  });

  it("The answer of a registration stays the same", async () => {
    const answer = await host.call("POST", "/auth/register", { email: newEmail(), password: PASSWORD });
    const { account } = await answer.json<{ account: object }>();
    expect(Object.keys(account).sort()).toEqual(["_id", "createdAt", "email", "name", "tier"]);
  });

  it("The link's token is in the fragment, and the queue's message holds no secret", async () => {
    const { email } = await host.open();
    const message = JSON.stringify(host.queued);
    const [mail] = await host.deliver();
    const [, token = ""] = /https:\/\/media\.example\/dashboard\/verify#(\S+)/.exec(mail?.text ?? "") ?? [];
    expect(token).toHaveLength(43);
    expect(mail?.to).toBe(email);
    expect(message).not.toContain(token);
    const { results } = await env.DB.prepare("SELECT * FROM mail_proofs WHERE email = ?").bind(email).all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(token);
  });

  it("`PUBLIC_URL` is the start of links, whatever host the request named", async () => {
    host = new MailHost({ PUBLIC_URL: "https://photos.example/" });
    await host.open();
    const [mail] = await host.deliver();
    expect(mail?.text).toContain("https://photos.example/dashboard/verify#");
  });

  it("An unverified account can store 50 MB until it is verified", async () => {
    const { id, email } = await host.open();
    expect(await storageLimit(id)).toBe(UNVERIFIED_STORAGE_BYTES);
    const { token } = await host.readProof(email);
    await host.call("POST", "/auth/verify", { token });
    expect(await storageLimit(id)).toBe(TIERS.free.storageBytes);
  });

  it("An unverified account is erased after 14 days, and its address is free again", async () => {
    const { id, email, token } = await host.open();
    const { verifyBy, createdAt } = await shown(token);
    expect(Date.parse(String(verifyBy)) - Date.parse(String(createdAt))).toBe(UNVERIFIED_MS);
    await ring(id);
    expect((await host.call("GET", "/account", undefined, { token })).status).toBe(200);
    await endVerificationTime(id, host);
    vi.spyOn(console, "log").mockImplementation(() => {});
    await ring(id);
    expect((await host.call("GET", "/account", undefined, { token })).status).toBe(401);
    expect((await host.logIn(email, PASSWORD)).status).toBe(401);
    await host.open(email);
  });

  it("The alarm of an unverified account is set for the end of its time", async () => {
    const { id } = await host.open();
    await ring(id);
    const { runInDurableObject } = await import("cloudflare:test");
    const alarm = await runInDurableObject(meterOf(id), (_, { storage }) => storage.getAlarm());
    expect(Math.abs((alarm ?? 0) - Date.now() - UNVERIFIED_MS)).toBeLessThan(60_000);
  });

  it("A verified account and a paid one are not erased", async () => {
    const verified = await host.openVerified();
    const paid = await host.open();
    await setTier(paid.email, "starter");
    for (const { id, token } of [verified, paid]) {
      await endVerificationTime(id, host);
      await ring(id);
      expect((await host.call("GET", "/account", undefined, { token })).status).toBe(200);
      expect(await storageLimit(id)).toBeGreaterThan(UNVERIFIED_STORAGE_BYTES);
    }
  });

  it("A suspended account is not erased", async () => {
    const { id, email } = await host.open();
    await meterOf(id).suspend({ reason: "evidence", servesFiles: false } as never);
    await endVerificationTime(id, host);
    await ring(id);
    const row = await env.DB.prepare("SELECT email FROM accounts WHERE id = ?").bind(id).first();
    expect(row).toEqual({ email });
  });

  it("An account is not erased if verification is no longer required when its time ends", async () => {
    const { id, token } = await host.open();
    await endVerificationTime(id, new MailHost({ EMAIL_VERIFICATION: "optional" }));
    await ring(id);
    expect((await host.call("GET", "/account", undefined, { token })).status).toBe(200);
  });

  it("An unverified owner is asked and not limited if verification is `optional`", async () => {
    host = new MailHost({ EMAIL_VERIFICATION: "optional" });
    const { id, token } = await host.open();
    expect(host.queued).toHaveLength(1);
    expect(await shown(token)).toMatchObject({ emailVerification: "optional", verifyBy: null });
    expect(await storageLimit(id)).toBe(TIERS.free.storageBytes);
  });

  it.each([
    ["no mail can be sent", { EMAIL: undefined }],
    ["it is required and no mail can be sent", { EMAIL: undefined, EMAIL_VERIFICATION: "required" }],
    ["it is off", { EMAIL_VERIFICATION: "off" }],
  ])("An unverified owner is not asked if %s", async (_, vars) => {
    host = new MailHost(vars);
    const { id, token } = await host.open();
    expect(host.queued).toEqual([]);
    expect(await shown(token)).toMatchObject({ emailVerification: "off", verifyBy: null });
    expect(await storageLimit(id)).toBe(TIERS.free.storageBytes);
  });

  it("`npm start` asks an unverified owner, and limits nothing", async () => {
    host = new MailHost({ EMAIL: undefined, MAIL_DEV: "true" });
    const { token } = await host.open();
    expect(await shown(token)).toMatchObject({ emailVerification: "optional" });
  });

  it("Accounts that the operator opens count as verified", async () => {
    const answer = await register(host.vars as Record<string, string>, { email: newEmail() }, OPERATOR);
    const { token } = await answer.json<{ token: string }>();
    expect(host.queued).toEqual([]);
    expect(await shown(token)).toMatchObject({ emailVerification: "verified" });
  });

  it("A registration succeeds if the queue fails", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    host = new MailHost({ MAILS: { send: () => Promise.reject(new Error("Queue send failed")) } });
    await host.open();
  });

  it("A verification link expires after 24 hours", async () => {
    const { email } = await host.open();
    const { token } = await host.readProof(email);
    await env.DB.prepare("UPDATE mail_proofs SET expires_at = expires_at - 86400001 WHERE email = ?").bind(email).run();
    const answer = await host.call("POST", "/auth/verify", { token });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_link" });
  });

  it("A verification link may be used again: nothing changes", async () => {
    const { email } = await host.open();
    const { token } = await host.readProof(email);
    for (let use = 0; use < 2; use++) expect((await host.call("POST", "/auth/verify", { token })).status).toBe(200);
  });

  it("The link of an erased account is invalid, and a waiting mail is not sent", async () => {
    const account = await host.open();
    const { token } = await host.readProof(account.email);
    await host.call("POST", "/auth/verify/resend", undefined, { token: account.token });
    expect(host.queued).toHaveLength(1);
    const erased = await host.call("DELETE", "/account", { password: PASSWORD }, { token: account.token });
    expect(erased.status).toBe(200);
    expect((await host.call("POST", "/auth/verify", { token })).status).toBe(400);
    expect(await host.deliver()).toEqual([]);
  });

  it.each([
    ["nothing", {}],
    ["a code without its address", { code: "BBBB-BBBB" }],
    ["both", { token: "x", email: "a@example.com", code: "BBBB-BBBB" }],
    ["a token that is a number", { token: 1 }],
    ["a long token", { token: "x".repeat(101) }],
  ])("`POST /auth/verify` with %s is 400", async (_, body) => {
    const answer = await host.call("POST", "/auth/verify", body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_request" });
  });

  it("Wrong codes for one address are limited, and the link still works", async () => {
    const { email } = await host.open();
    const { token, code } = await host.readProof(email);
    const statuses = new Set<number>();
    for (let guess = 0; guess < 21; guess++) {
      const answer = await host.call("POST", "/auth/verify", { email, code: "BBBB-BBBB" });
      statuses.add(answer.status);
    }
    expect([...statuses]).toEqual([400, 429]);
    expect((await host.call("POST", "/auth/verify", { email, code })).status).toBe(429);
    expect((await host.call("POST", "/auth/verify", { token })).status).toBe(200);
  });

  it("Wrong verification links of one client are limited", async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let guess = 0; guess < 61; guess++)
      statuses.push((await host.call("POST", "/auth/verify", { token: "wrong" }, { address })).status);
    expect(statuses.slice(0, 60).every((status) => status === 400)).toBe(true);
    expect(statuses[60]).toBe(429);
  });

  it("An unverified address gets three mails in half an hour; a verified one gets none", async () => {
    const { token, email } = await host.open();
    const resend = () => host.call("POST", "/auth/verify/resend", undefined, { token });
    expect([await resend(), await resend(), await resend()].map(({ status }) => status)).toEqual([202, 202, 429]);
    const mails = await host.deliver();
    expect(mails.map(({ to }) => to)).toEqual([email, email, email]);
    const verified = await host.openVerified();
    const again = await host.call("POST", "/auth/verify/resend", undefined, { token: verified.token });
    expect(again.status).toBe(202);
    expect(host.queued).toEqual([]);
  });

  it("Every verification link that was mailed is valid, five at most", async () => {
    const { email, id } = await host.open();
    const [message] = host.queued;
    for (let sent = 0; sent < 6; sent++) host.queued.push(message as never);
    const mails = await host.deliver();
    expect(mails).toHaveLength(7);
    const { results } = await env.DB.prepare("SELECT hash FROM mail_proofs WHERE account_id = ?").bind(id).all();
    expect(results).toHaveLength(5);
    const { proofOf } = await import("../../support/mail/mail-host.ts");
    expect((await host.call("POST", "/auth/verify", { token: proofOf(mails[2] as never).token })).status).toBe(200);
    expect(mails.every(({ to }) => to === email)).toBe(true);
  });

  it("A verification leaves an intent if the directory fails, and the alarm finishes it", async () => {
    const { id, email } = await host.open();
    const { failingDatabases } = await import("../../support/api/databases.ts");
    const { replaceStores, restoreStores } = await import("../../support/api/account-state.ts");
    vi.spyOn(console, "error").mockImplementation(() => {});
    await replaceStores(id, failingDatabases());
    expect(await meterOf(id).setEmail({ from: email, email, verifiedAt: 5 }).catch(String)).toContain("out of order");
    await restoreStores(id);
    const { runInDurableObject } = await import("cloudflare:test");
    await runInDurableObject(meterOf(id), async (_, { storage }) => {
      storage.sql.exec("UPDATE intents SET due_at = 1");
      await storage.setAlarm(Date.now() + 3_600_000);
    });
    await ring(id);
    const row = await env.DB.prepare("SELECT email_verified_at FROM accounts WHERE id = ?").bind(id).first();
    expect(row).toEqual({ email_verified_at: 5 });
  });
});
