import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bearer, call, callJson, newAddress } from "../../support/api/api.ts";
import { around } from "../../support/api/around-meters.ts";
import { newEmail, PASSWORD } from "../../support/api/registration.ts";
import { type MailAccount, MailHost, proofOf } from "../../support/mail/mail-host.ts";
import { png } from "../../support/media/samples.ts";

const NEXT = "another horse battery";

let host: MailHost;

beforeEach(() => {
  host = new MailHost();
});

afterEach(() => {
  vi.restoreAllMocks();
});

function forget(email: string, address = newAddress()): Promise<Response> {
  return host.call("POST", "/auth/password/forgot", { email }, { address });
}

function reset(token: string, password = NEXT): Promise<Response> {
  return host.call("POST", "/auth/password/reset", { token, password });
}

/** An account, and the token of a link to a new password. */
async function openForgetful(): Promise<MailAccount & { reset: string }> {
  const account = await host.openVerified();
  await forget(account.email);
  const { token } = await host.readProof(account.email);
  return { ...account, reset: token };
}

async function sessionStatus(token: string): Promise<number> {
  return (await host.call("GET", "/account", undefined, { token })).status;
}

describe("Password reset", () => {
  it("A mailed link sets a new password, ends all sessions and reports it by mail", async () => {
    const account = await openForgetful();
    const other = await (await host.logIn(account.email, PASSWORD)).json<{ token: string }>();
    expect((await reset(account.reset)).status).toBe(200);
    expect([await sessionStatus(account.token), await sessionStatus(other.token)]).toEqual([401, 401]);
    expect((await host.logIn(account.email, PASSWORD)).status).toBe(401);
    expect((await host.logIn(account.email, NEXT)).status).toBe(200);
    expect((await host.deliver()).map(({ subject }) => subject)).toContain("Your password was changed");
  });

  it("An attack does not slow the owner down at the log-in after a reset", async () => {
    const account = await openForgetful();
    const address = newAddress();
    const logIn = (password: string, from: string) =>
      host.call("POST", "/auth/login", { email: account.email, password }, { address: from });
    for (let guess = 0; guess < 11; guess++) await logIn(`guess ${guess}`, newAddress());
    expect((await logIn(PASSWORD, address)).status).toBe(429);
    const body = { token: account.reset, password: NEXT };
    expect((await host.call("POST", "/auth/password/reset", body, { address })).status).toBe(200);
    expect((await logIn(NEXT, address)).status).toBe(200);
  });

  it("The answer and the work of a forgotten password are the same for an unknown address", async () => {
    const { email } = await host.openVerified();
    const before = host.queued.length;
    const answers = [await forget(email.toUpperCase()), await forget(newEmail())];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const [known, unknown] = await Promise.all(answers.map((answer) => answer.text()));
    expect(known).toBe(unknown);
    // Each is one message: the account is looked for by the queue's consumer.
    expect(host.queued.slice(before).map(({ type }) => type)).toEqual(["proof.requested", "proof.requested"]);
    expect((await host.deliver()).map(({ to }) => to)).toEqual([email]);
  });

  it("An address gets three mails about a forgotten password in half an hour, and the answer stays the same", async () => {
    for (const email of [(await host.openVerified()).email, newEmail()]) {
      const statuses: number[] = [];
      for (let request = 0; request < 5; request++) statuses.push((await forget(email)).status);
      expect(statuses).toEqual([202, 202, 202, 202, 202]);
      expect(host.queued.splice(0).length).toBeLessThanOrEqual(3);
    }
  });

  it("A client may report a forgotten password twenty times an hour", async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let request = 0; request < 21; request++) statuses.push((await forget(newEmail(), address)).status);
    expect(statuses.slice(0, 20).every((status) => status === 202)).toBe(true);
    expect(statuses[20]).toBe(429);
  });

  it("A link to a new password is valid once, also for two uses at once", async () => {
    const { reset: token, email } = await openForgetful();
    const answers = await Promise.all([reset(token, "first password"), reset(token, "second password")]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
    expect((await reset(token, "third password")).status).toBe(400);
    expect((await host.logIn(email, "third password")).status).toBe(401);
  });

  it("A change of the password invalidates a link that was mailed before", async () => {
    const account = await openForgetful();
    const change = { password: NEXT, currentPassword: PASSWORD };
    expect((await host.call("PATCH", "/account", change, { token: account.token })).status).toBe(200);
    const answer = await reset(account.reset, "stolen mail password");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_link" });
  });

  it("A link to a new password expires after 30 minutes", async () => {
    const { reset: token, id } = await openForgetful();
    await env.DB.prepare("UPDATE mail_proofs SET expires_at = expires_at - 1800001 WHERE account_id = ?")
      .bind(id)
      .run();
    expect((await reset(token)).status).toBe(400);
  });

  it("A link for another purpose sets no password", async () => {
    const { email } = await host.open();
    const { token } = await host.readProof(email);
    expect((await reset(token)).status).toBe(400);
  });

  it("The link of an erased account is invalid, even if its address has a new account", async () => {
    const account = await openForgetful();
    await host.call("DELETE", "/account", { password: PASSWORD }, { token: account.token });
    const successor = await host.open(account.email);
    expect((await reset(account.reset)).status).toBe(400);
    expect(await sessionStatus(successor.token)).toBe(200);
  });

  it("A reset verifies the address, and revokes the keys of an account that a stranger may have opened before", async () => {
    const account = await host.open();
    const upload = () =>
      call("/images/upload", { method: "POST", headers: bearer(account.uploadKey), body: png(1, 1) });
    expect((await upload()).status).toBeLessThan(400);
    await forget(account.email);
    const mails = await host.deliver();
    const { token } = proofOf(mails.find(({ subject }) => subject === "Reset your password") as never);
    expect((await reset(token)).status).toBe(200);
    expect((await upload()).status).toBe(401);
    const session = await (await host.logIn(account.email, NEXT)).json<{ token: string }>();
    const shown = await host.call("GET", "/account", undefined, { token: session.token });
    expect(await shown.json()).toMatchObject({ emailVerification: "verified" });
  });

  it("A key that a session makes right before the reset of such an account is revoked too", async () => {
    const account = await host.open();
    await forget(account.email);
    const mails = await host.deliver();
    const { token } = proofOf(mails.find(({ subject }) => subject === "Reset your password") as never);
    let made = "";
    const before = async () => {
      const regenerated = await callJson("POST", "/keys/upload/regenerate", account.token, {});
      made = (await regenerated.json<{ key: string }>()).key;
    };
    Object.assign(host.vars, { ACCOUNT_METER: around(env.ACCOUNT_METER, "resetPassword", { before }) });
    expect((await reset(token)).status).toBe(200);
    const upload = { method: "POST", headers: bearer(made), body: png(1, 1) };
    expect((await call("/images/upload", upload)).status).toBe(401);
  });

  it("A reset removes the passkeys and the authenticator of an unverified account, but not of a verified one", async () => {
    const left: unknown[] = [];
    for (const account of [await host.open(), await host.openVerified()]) {
      const row = await env.DB.prepare("SELECT id FROM accounts WHERE email = ?")
        .bind(account.email)
        .first<{ id: string }>();
      const accountId = row?.id ?? "";
      await env.DB.batch([
        env.DB.prepare(
          "INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, transports, name, created_at, challenged_at) VALUES (?1, ?1, ?1, 'key', 0, '[]', 'Phone', 1, 1)",
        ).bind(accountId),
        env.DB.prepare(
          "INSERT INTO second_factors (account_id, secret, created_at, confirmed_at, used_step) VALUES (?, 'secret', 1, 1, 0)",
        ).bind(accountId),
      ]);
      await forget(account.email);
      const mails = await host.deliver();
      const { token } = proofOf(mails.find(({ subject }) => subject === "Reset your password") as never);
      expect((await reset(token)).status).toBe(200);
      const count = async (table: string) =>
        env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`).bind(accountId).first<number>("n");
      left.push([await count("passkeys"), await count("second_factors")]);
    }
    expect(left).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it("A reset of a verified account keeps its keys", async () => {
    const account = await openForgetful();
    await reset(account.reset);
    const answer = await call("/images/upload", {
      method: "POST",
      headers: bearer(account.uploadKey),
      body: png(1, 1),
    });
    expect(answer.status).toBeLessThan(400);
  });

  it("A lost mail does not fail the request for a new password", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = new MailHost({ MAILS: { send: () => Promise.reject(new Error("Queue send failed")) } });
    const answer = await broken.call("POST", "/auth/password/forgot", { email: newEmail() });
    expect(answer.status).toBe(202);
  });

  it("`POST /auth/password/forgot` is 403 if no mail can be sent", async () => {
    const answer = await new MailHost({ EMAIL: undefined }).call("POST", "/auth/password/forgot", {
      email: newEmail(),
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "mail_not_set_up" });
  });

  it.each([{}, { email: "nobody" }, { email: `${"a".repeat(250)}@example.com` }, { email: ["a@example.com"] }])(
    "`POST /auth/password/forgot` with %j is 400",
    async (body) => {
      expect((await host.call("POST", "/auth/password/forgot", body)).status).toBe(400);
    },
  );

  it("A password that is too short or too long is 400, and the link stays valid", async () => {
    const { reset: token } = await openForgetful();
    expect((await reset(token, "short")).status).toBe(400);
    expect((await reset(token, "x".repeat(1000))).status).toBe(400);
    expect((await reset(token)).status).toBe(200);
  });

  it("A request for a new password that is older than a day sends nothing", async () => {
    const { email } = await host.openVerified();
    await forget(email);
    const [message] = host.queued.splice(0);
    const { createMessageBatch } = await import("cloudflare:test");
    const { default: worker } = await import("../../../src/worker.ts");
    const timestamp = new Date(Date.now() - 25 * 3_600_000);
    const batch = createMessageBatch("media-host-mails-dead", [
      { id: "old", timestamp, attempts: 1, body: message as unknown },
    ]);
    const before = host.sender.sent.length;
    await worker.queue(batch, { ...env, ...host.vars } as Env);
    expect(host.sender.sent).toHaveLength(before);
  });
});
