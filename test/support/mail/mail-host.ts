import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import type { MailRequested, ProofRequested } from "../../../src/domain/queue-messages.ts";
import { meterOf, replaceStores, restoreStores } from "../api/account-state.ts";
import { bearer } from "../api/api.ts";
import { callWith, newEmail, PASSWORD } from "../api/registration.ts";
import { deliverMessage, MailSender, type SentMail } from "./mails.ts";

export interface MailAccount {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly uploadKey: string;
}

/** A service that sends mail, and holds its queue until `deliver`. */
export class MailHost {
  readonly sender = new MailSender();
  readonly queued: (MailRequested | ProofRequested)[] = [];
  readonly vars: Record<string, unknown>;

  constructor(vars: Record<string, unknown> = {}) {
    const send = async (message: MailRequested | ProofRequested) => void this.queued.push(message);
    this.vars = { ...this.sender.bindings, MAILS: { send }, ...vars };
  }

  call(method: string, path: string, body?: unknown, { token, address }: { token?: string; address?: string } = {}) {
    return callWith(this.vars as Record<string, string>, path, {
      method,
      headers: {
        ...(token === undefined ? {} : bearer(token)),
        ...(address === undefined ? {} : { "CF-Connecting-IP": address }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** An account that was opened over the API; its object has the service's variables. */
  async open(email = newEmail()): Promise<MailAccount> {
    const answer = await this.call("POST", "/auth/register", { email, password: PASSWORD });
    if (answer.status !== 201) throw new Error(`The registration was answered ${answer.status}`);
    const { token, account, uploadKey } = await answer.json<{
      token: string;
      account: { _id: string };
      uploadKey: string;
    }>();
    await this.equip(account._id);
    return { id: account._id, email, token, uploadKey };
  }

  /** Gives the account's object the service's variables, until it is evicted. */
  async equip(accountId: string): Promise<void> {
    await replaceStores(accountId, this.vars as Partial<Env>);
  }

  /** Delivers the queued messages. @returns the mails that were sent */
  async deliver(): Promise<SentMail[]> {
    const before = this.sender.sent.length;
    for (const message of this.queued.splice(0)) await deliverMessage(message, this.vars);
    return this.sender.sent.slice(before);
  }

  /** Delivers the queue, which holds one mail to this address. @returns its link's token and its code */
  async readProof(to: string): Promise<{ token: string; code: string }> {
    const mails = (await this.deliver()).filter((mail) => mail.to === to);
    if (mails.length !== 1) throw new Error(`${mails.length} mails were sent to the address`);
    return proofOf(mails[0] as SentMail);
  }

  /** An account whose address is verified. */
  async openVerified(email = newEmail()): Promise<MailAccount> {
    const account = await this.open(email);
    const { token } = await this.readProof(email);
    const answer = await this.call("POST", "/auth/verify", { token });
    if (answer.status !== 200) throw new Error(`The verification was answered ${answer.status}`);
    return account;
  }

  logIn(email: string, password: string): Promise<Response> {
    return this.call("POST", "/auth/login", { email, password });
  }
}

export function proofOf({ text }: SentMail): { token: string; code: string } {
  return { token: /#([\w-]{43})$/m.exec(text)?.[1] ?? "", code: /^Code: (\S+)$/m.exec(text)?.[1] ?? "" };
}

/** Lets the account's time for a verification end. The object starts again, because it has the row in memory. */
export async function endVerificationTime(accountId: string, host: MailHost): Promise<void> {
  await runInDurableObject(meterOf(accountId), async (_meter, { storage }) => {
    storage.sql.exec("UPDATE account SET verify_by = 1 WHERE verify_by > 0");
    await storage.setAlarm(Date.now() + 3_600_000);
  });
  await restoreStores(accountId);
  await host.equip(accountId);
}

export async function ring(accountId: string): Promise<void> {
  await runDurableObjectAlarm(meterOf(accountId));
}
