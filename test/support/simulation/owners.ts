import type { ProofRequested } from "../../../src/domain/queue-messages.ts";
import { confirmEmail, requestEmailChange } from "../../../src/services/accounts/change-email.ts";
import { logIn } from "../../../src/services/accounts/log-in.ts";
import { requestPasswordReset, resetPassword } from "../../../src/services/accounts/reset-password.ts";
import { updateAccount } from "../../../src/services/accounts/update-account.ts";
import type { AccountContext, Services } from "../../../src/services/context.ts";
import { deliverProof } from "../../../src/services/mail/deliver-proof.ts";
import {
  type AccountRecord,
  beginChange,
  endChange,
  type KeyRecord,
  lastValue,
  must,
  type SessionRecord,
  type ValueChange,
} from "./history.ts";
import type { Party } from "./scheduler.ts";
import { type Ending, statusOf, type World } from "./world.ts";

const CLIENT = { device: "Simulated", address: "192.0.2.1", rate: undefined };
/**
 * All accounts may try to get this address, and one gets it. An account changes nothing more after it has tried, so no operator's request
 * by address reaches another account.
 */
const SHARED_EMAIL = "shared@example.com";

export interface OwnerTools {
  readonly world: World;
  now(): number;
  request<T>(name: string, work: (services: Services) => Promise<T>): Asked<T>;
  asOwner<T>(name: string, account: AccountRecord, work: (context: AccountContext) => Promise<T>): Asked<T>;
  admit(services: Services, token: string): Promise<AccountContext>;
  useKey(key: KeyRecord): Promise<void>;
}

interface Asked<T> {
  readonly party: Party;
  readonly ended: Promise<Ending<T>>;
}

/** Owners who change their address and password, which both the account's object and the directory store. */
export class Owners {
  readonly #tools: OwnerTools;
  #passwords = 0;
  /** Answered resets, by the token of their link. */
  readonly #resets = new Map<string, number>();

  constructor(tools: OwnerTools) {
    this.#tools = tools;
  }

  /** Changes the address by the mailed links. */
  async setEmail(account: AccountRecord): Promise<void> {
    if (account.emails.some(({ value }) => value === SHARED_EMAIL)) return;
    const isShared = this.#random() < 0.6;
    const email = isShared ? SHARED_EMAIL : account.email.replace("@", `-${account.emails.length + 1}@`);
    const change = beginChange(account.emails, email, this.#now);
    const asked = this.#tools.asOwner("request-email", account, (context) => requestEmailChange(context, email));
    await asked.ended;
    let isMade = false;
    for (const message of this.#tools.world.takeProofs(asked.party)) {
      const token = await this.#deliver(message);
      if (token !== undefined) isMade = await this.#confirm(account, change, token);
    }
    endChange(change, isMade, this.#now);
  }

  /** People click again if a link is not answered. @returns whether the answer was that the address is set */
  async #confirm(account: AccountRecord, change: ValueChange<string>, token: string): Promise<boolean> {
    for (let clicks = 0; clicks < 3; clicks++) {
      const { ended } = this.#tools.request("confirm-email", (services) => confirmEmail(services, CLIENT, token));
      const ending = await ended;
      if (ending.kind === "answered") {
        if (ending.value.length === 0) this.#checkEmail(account, change);
        return ending.value.length === 0;
      }
      if (statusOf(ending) === 409) {
        must(change.value === SHARED_EMAIL, () => `${change.value} is answered as taken, and nobody else wants it`);
      }
      if ((statusOf(ending) ?? 500) < 500) return false;
    }
    return false;
  }

  /** An address that was just answered as set. @throws Violation */
  #checkEmail(account: AccountRecord, change: ValueChange<string>): void {
    const isAlone = account.emails.every((other) => other === change || other.endedAt < change.begunAt);
    if (!isAlone || account.eraseBegunAt < Number.POSITIVE_INFINITY) return;
    const { email } = this.#row(account) ?? {};
    must(email === change.value, () => `${change.value} is answered as set, and the address is ${email}`);
  }

  /** Sets a password by a mailed link, which some people use twice. */
  async resetPassword(account: AccountRecord): Promise<void> {
    const { email } = this.#row(account) ?? {};
    if (email === undefined) return;
    const asked = this.#tools.request("forget-password", (services) => requestPasswordReset(services, CLIENT, email));
    await asked.ended;
    const [message] = this.#tools.world.takeProofs(asked.party);
    const token = message && (await this.#deliver(message));
    if (token === undefined) return;
    const uses = this.#random() < 0.4 ? 2 : 1;
    await Promise.all(Array.from({ length: uses }, () => this.#reset(account, token)));
    await this.useSession(account);
    await this.logIn(account);
  }

  async #reset(account: AccountRecord, token: string): Promise<void> {
    const before = [...account.sessions];
    const change = beginChange(account.passwords, this.#newPassword(), this.#now);
    const given = { token, password: change.value };
    const ending = await this.#tools.request("reset-password", (services) => resetPassword(services, CLIENT, given))
      .ended;
    endChange(change, ending.kind === "answered", this.#now);
    if (ending.kind !== "answered") return;
    this.#resets.set(token, (this.#resets.get(token) ?? 0) + 1);
    must(this.#resets.get(token) === 1, () => "A link has set two passwords");
    this.#refuse(before);
  }

  /** Changes the password in a session, and may revoke all keys with it. */
  async changePassword(account: AccountRecord): Promise<void> {
    const current = lastValue(account.passwords);
    if (current === undefined) return this.logIn(account);
    const revokeKeysSince = this.#random() < 0.6 ? 0 : undefined;
    const [keys, others] = [[...account.keys], account.sessions.filter(({ token }) => token !== account.token)];
    const change = beginChange(account.passwords, this.#newPassword(), this.#now);
    const password = { current, next: change.value, revokeKeysSince };
    const ending = await this.#tools.asOwner("change-password", account, (context) =>
      updateAccount(context, { password }),
    ).ended;
    endChange(change, ending.kind === "answered", this.#now);
    if (ending.kind !== "answered") return;
    this.#refuse(others);
    if (revokeKeysSince !== undefined) this.#refuse(keys);
    const key = keys.at(-1);
    if (key !== undefined) await this.#tools.useKey(key);
    await this.useSession(account);
  }

  /** Logs in with the newest password, or with an earlier one. */
  async logIn(account: AccountRecord): Promise<void> {
    const { email } = this.#row(account) ?? {};
    const older = account.passwords[Math.floor(this.#random() * account.passwords.length)];
    const change = this.#random() < 0.7 ? account.passwords.at(-1) : older;
    if (email === undefined || change === undefined) return;
    const begunAt = this.#now;
    const given = { email, password: change.value };
    const ending = await this.#tools.request("log-in", (services) => logIn(services, CLIENT, given)).ended;
    if (ending.kind === "answered") {
      const newer = account.passwords.some(
        (other) => other.isAnswered && other.begunAt > change.endedAt && other.endedAt < begunAt,
      );
      must(!(change.isAnswered && newer), () => `${change.value} logs in, and another password was set since`);
      account.token = ending.value.session.token;
      account.sessions.push({ token: account.token, refusedFrom: Number.POSITIVE_INFINITY });
      return;
    }
    // The address that was given may have changed since.
    const isSettled =
      account.passwords.every(({ isAnswered }) => isAnswered) &&
      account.emails.every(({ isAnswered, endedAt }) => isAnswered && endedAt < begunAt);
    const isErasing = account.eraseBegunAt < Number.POSITIVE_INFINITY;
    const isRight = lastValue(account.passwords) === change.value && change.endedAt < begunAt;
    must(
      !(statusOf(ending) === 401 && isSettled && isRight && !isErasing),
      () => `${change.value} is refused, and it is the account's password`,
    );
  }

  async useSession(account: AccountRecord): Promise<void> {
    const session = account.sessions[Math.floor(this.#random() * account.sessions.length)];
    if (session === undefined) return;
    const begunAt = this.#now;
    const { ended } = this.#tools.request("use-session", (services) => this.#tools.admit(services, session.token));
    const isAdmitted = (await ended).kind === "answered";
    must(!(isAdmitted && session.refusedFrom <= begunAt), () => "A session that was ended is admitted");
  }

  /** The queue's consumer mails a link. @returns the link's token; undefined if no mail came */
  async #deliver(message: ProofRequested): Promise<string | undefined> {
    let token: string | undefined;
    const mailer = {
      send: async ({ text }: { readonly text: string }) => {
        token = /#([\w-]+)/.exec(text)?.[1];
      },
    };
    await this.#tools.request("mail", (services) => deliverProof({ ...services, mailer }, message)).ended;
    return token;
  }

  #refuse(credentials: readonly (SessionRecord | KeyRecord)[]): void {
    for (const credential of credentials) credential.refusedFrom = Math.min(credential.refusedFrom, this.#now);
  }

  /** The account's state as its owner knows it. */
  #row({ id }: AccountRecord): { readonly email: string } | undefined {
    return this.#tools.world.directory.run("SELECT email FROM accounts WHERE id = ?", [id]).rows[0] as
      | { readonly email: string }
      | undefined;
  }

  #newPassword(): string {
    return `password number ${++this.#passwords}`;
  }

  #random(): number {
    return this.#tools.world.scheduler.random();
  }

  get #now(): number {
    return this.#tools.now();
  }
}
