import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { meterOf } from "../../support/api/account-state.ts";
import { newEmail, PASSWORD } from "../../support/api/registration.ts";
import { type MailAccount, MailHost, proofOf } from "../../support/mail/mail-host.ts";

let host: MailHost;

beforeEach(() => {
  host = new MailHost();
});

function ask({ token }: Pick<MailAccount, "token">, email: string): Promise<Response> {
  return host.call("POST", "/account/email", { email }, { token });
}

function confirm(token: string): Promise<Response> {
  return host.call("POST", "/auth/email/confirm", { token });
}

interface Change {
  readonly account: MailAccount;
  readonly email: string;
  readonly old: string;
  readonly new: string;
}

/** An account that has asked for another address, and the tokens of both links. */
async function begin(account?: MailAccount, email = newEmail()): Promise<Change> {
  const opened = account ?? (await host.openVerified());
  const answer = await ask(opened, email);
  expect(answer.status).toBe(202);
  expect(await answer.json()).toEqual({ waitingFor: ["old", "new"] });
  const mails = await host.deliver();
  const tokenTo = (to: string) => proofOf(mails.find((mail) => mail.to === to) as never).token;
  return { account: opened, email, old: tokenTo(opened.email), new: tokenTo(email) };
}

async function addressOf({ token }: Pick<MailAccount, "token">): Promise<unknown> {
  const answer = await host.call("GET", "/account", undefined, { token });
  return (await answer.json<{ email: string }>()).email;
}

describe("A change of the address", () => {
  it.each([
    ["old", "new"],
    ["new", "old"],
  ] as const)(
    "A change of the address is made when both addresses have confirmed, the %s one first",
    async (first, second) => {
      const change = await begin();
      const answer = await confirm(change[first]);
      expect([answer.status, await answer.json()]).toEqual([200, { waitingFor: [second] }]);
      expect(await addressOf(change.account)).toBe(change.account.email);
      const last = await confirm(change[second]);
      expect([last.status, await last.json()]).toEqual([200, { waitingFor: [] }]);
      expect(await addressOf(change.account)).toBe(change.email);
      expect((await host.logIn(change.email, PASSWORD)).status).toBe(200);
      expect((await host.logIn(change.account.email, PASSWORD)).status).toBe(401);
      // The object can restore the directory's row.
      expect(
        await env.DB.prepare("SELECT * FROM email_changes WHERE account_id = ?").bind(change.account.id).first(),
      ).toBe(null);
    },
  );

  it("One address that confirms a change twice counts once", async () => {
    const change = await begin();
    for (let use = 0; use < 2; use++) expect(await (await confirm(change.new)).json()).toEqual({ waitingFor: ["old"] });
    expect(await addressOf(change.account)).toBe(change.account.email);
  });

  it("The last link of a change of address may be used again without an error", async () => {
    const change = await begin();
    await confirm(change.old);
    await confirm(change.new);
    expect(await (await confirm(change.new)).json()).toEqual({ waitingFor: [] });
  });

  it("A second request for another address replaces the first, whose links become invalid", async () => {
    const first = await begin();
    const second = await begin(first.account);
    expect((await confirm(first.old)).status).toBe(400);
    expect((await confirm(first.new)).status).toBe(400);
    await confirm(second.old);
    await confirm(second.new);
    expect(await addressOf(first.account)).toBe(second.email);
  });

  it("The links of two changes of the address are not combined", async () => {
    const first = await begin();
    await confirm(first.old);
    const second = await begin(first.account);
    expect(await (await confirm(second.new)).json()).toEqual({ waitingFor: ["old"] });
    expect(await addressOf(first.account)).toBe(first.account.email);
  });

  it("A change to an address that was taken since is 409, and nothing changes", async () => {
    const change = await begin();
    await confirm(change.old);
    await host.openVerified(change.email);
    const answer = await confirm(change.new);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: "email_taken" });
    expect(await addressOf(change.account)).toBe(change.account.email);
    expect((await meterOf(change.account.id).listIntents(10)).filter(({ kind }) => kind === "set-email")).toEqual([]);
  });

  it("Two accounts that confirm one address at once do not both get it", async () => {
    const email = newEmail();
    const changes = [await begin(undefined, email), await begin(undefined, email)];
    for (const change of changes) await confirm(change.old);
    const answers = await Promise.all(changes.map((change) => confirm(change.new)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("The answer to a change of the address does not reveal whether the address has an account; its owner gets a mail", async () => {
    const holder = await host.openVerified();
    const account = await host.openVerified();
    const answer = await ask(account, holder.email);
    expect(answer.status).toBe(202);
    expect(await answer.json()).toEqual({ waitingFor: ["old", "new"] });
    const mails = await host.deliver();
    const subjects = new Map(mails.map(({ to, subject }) => [to, subject]));
    expect(subjects.get(holder.email)).toBe("This address has an account already");
    expect(subjects.get(account.email)).toBe("Confirm the change of your e-mail address");
  });

  it("A present address that was never verified need not confirm a change, because it may be mistyped", async () => {
    const account = await host.open();
    const email = newEmail();
    host.queued.length = 0;
    expect(await (await ask(account, email)).json()).toEqual({ waitingFor: ["new"] });
    const { token } = await host.readProof(email);
    expect(await (await confirm(token)).json()).toEqual({ waitingFor: [] });
    const shown = await host.call("GET", "/account", undefined, { token: account.token });
    expect(await shown.json()).toMatchObject({ email, emailVerification: "verified", verifyBy: null });
  });

  it("A verification link of the earlier address is invalid after the change", async () => {
    const account = await host.open();
    const { token: verification } = await host.readProof(account.email);
    const email = newEmail();
    await ask(account, email);
    const { token } = await host.readProof(email);
    await confirm(token);
    expect((await host.call("POST", "/auth/verify", { token: verification })).status).toBe(400);
    expect(await addressOf(account)).toBe(email);
  });

  it("A verification that comes after the change does not bring the earlier address back", async () => {
    const { account, email, ...tokens } = await begin();
    await confirm(tokens.old);
    await confirm(tokens.new);
    const meter = meterOf(account.id);
    expect(await meter.setEmail({ from: account.email, email: account.email, verifiedAt: 1 })).toBe(false);
    expect(await addressOf(account)).toBe(email);
  });

  it("A link of a change of the address expires after 24 hours", async () => {
    const change = await begin();
    const { id } = change.account;
    await env.DB.prepare("UPDATE mail_proofs SET expires_at = 1 WHERE account_id = ?").bind(id).run();
    expect((await confirm(change.new)).status).toBe(400);
  });

  it("The links of an erased account's change of the address are invalid", async () => {
    const change = await begin();
    await host.call("DELETE", "/account", { password: PASSWORD }, { token: change.account.token });
    expect((await confirm(change.new)).status).toBe(400);
    expect(await env.DB.prepare("SELECT * FROM email_changes WHERE to_email = ?").bind(change.email).first()).toBe(
      null,
    );
  });

  it("A change to the present address is 400, in upper or lower case", async () => {
    const account = await host.openVerified();
    expect((await ask(account, account.email.toUpperCase())).status).toBe(400);
  });

  it("An account may request a change of the address five times a day", async () => {
    const account = await host.openVerified();
    const statuses: number[] = [];
    for (let request = 0; request < 6; request++) statuses.push((await ask(account, newEmail())).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });

  it("Accounts together send three mails to one address in half an hour", async () => {
    const email = newEmail();
    const statuses: number[] = [];
    for (let request = 0; request < 4; request++) statuses.push((await ask(await host.openVerified(), email)).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
  });
});
