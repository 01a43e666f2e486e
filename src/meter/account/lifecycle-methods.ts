import { insertAccount } from "../../db/directory/accounts.ts";
import type { Account, Key } from "../../db/directory/schema.ts";
import { putLibrary } from "../../db/library/library-state.ts";
import type { AccountSettings } from "../../domain/account-settings.ts";
import { accountMarker } from "../../domain/object-key.ts";
import type { Erasure, Refused } from "../answers.ts";
import type { AccountChange } from "../intent.ts";
import { CredentialMethods } from "./credential-methods.ts";

/** How an account is opened, changed and erased. */
export abstract class LifecycleMethods extends CredentialMethods {
  /**
   * Opens the account, with an upload key, and logs its owner in. Where that fails nothing of it is left, at once or by the alarm,
   * as its owner is told that there is none.
   * @param byInvitation whether the email has to have been invited
   * @returns false where the email is taken, or was not invited
   */
  async register(
    account: Account,
    uploadKey: Key,
    session: { readonly sessionId: string; readonly expiresAt: number },
    byInvitation = false,
  ): Promise<boolean> {
    // The same call, made again, may find all of it done.
    if (!this.books.ledger.exists || this.books.intents.find("register") !== undefined) {
      const registered = await this.runner.register(
        () => {
          this.books.ledger.create(account, Date.now());
          this.books.credentials.setProfile(account);
          this.books.credentials.setPassword(account.passwordHash);
          this.books.credentials.learnKey(uploadKey);
        },
        async ({ directory, library, files, accountId }) => {
          await putLibrary(library, { accountId, movedAt: account.createdAt }, "here");
          if (!(await insertAccount(directory, account, uploadKey, { byInvitation }))) return false;
          await files.put(accountMarker(accountId), "");
          return true;
        },
      );
      if (!registered) return false;
    }
    this.books.credentials.openSession(session.sessionId, Date.now(), session.expiresAt);
    return true;
  }

  /** Undoes an opening whose answer did not reach its caller: whoever asked for it is told that there is no account. */
  async unregister(): Promise<void> {
    if (!this.books.ledger.exists) return;
    this.books.intents.put({ kind: "register" }, 0, Date.now());
    await this.runner.goOn("register");
  }

  /** @param change `uploadKey` is inserted where the account has none that lives */
  async setTier(change: Omit<Extract<AccountChange, { kind: "set-tier" }>, "kind">): Promise<void> {
    if (!(await this.load())) return;
    // Only of an account that never replaced its upload key the catalogue knows whether one lives.
    const uploadKey = this.books.credentials.uploadKey === undefined ? change.uploadKey : null;
    await this.runner.changeAccount({ kind: "set-tier", ...change, uploadKey }, () =>
      this.books.ledger.setTier(change, Date.now()),
    );
    if (change.uploadKey !== null && this.books.credentials.uploadKey === null) {
      await this.replaceUploadKey(change.uploadKey);
    }
  }

  /**
   * Changes settings, for future uploads.
   * @returns the settings from then on; undefined where the account is no more
   */
  async setSettings(change: Partial<AccountSettings>): Promise<AccountSettings | undefined> {
    if (!(await this.load()) || this.books.erasing) return undefined;
    const settings = { ...this.books.ledger.settings, ...change };
    await this.runner.changeAccount({ kind: "set-settings", settings }, () => this.books.ledger.setSettings(settings));
    return settings;
  }

  /**
   * Erases the account: at once for its owner, to the last byte by the alarm where the library is large.
   * @returns how it stands; `refused` where the session in which it was asked for has ended meanwhile
   */
  async erase(sessionId: string): Promise<Erasure | Refused> {
    if (!(await this.load())) return { outcome: "refused" };
    const begun = this.books.intents.find("erase")?.intent;
    // The same call, made again: the session ended with it.
    if (begun?.kind === "erase" && begun.sessionId === sessionId) return this.#erasure ?? { outcome: "refused" };
    if (!this.books.lives({ kind: "session", sessionId }, Date.now())) return { outcome: "refused" };
    await this.runner.change({ kind: "erase", sessionId }, () => {
      this.books.credentials.endOtherSessions(null);
      this.books.intents.remove("move");
    });
    return this.#erasure ?? { outcome: "refused" };
  }

  /** How an erasure stands that was asked for; undefined where none was, or where that was so long ago that nothing is known of it. */
  async erasure(): Promise<Erasure | undefined> {
    return this.#erasure;
  }

  get #erasure(): Erasure | undefined {
    const { erasedAt } = this.books.tombstone;
    if (erasedAt !== undefined) return { outcome: "erased", erasedAt };
    const intent = this.books.intents.find("erase")?.intent;
    if (intent?.kind !== "erase") return undefined;
    const { emptiedAt } = intent;
    return emptiedAt === undefined ? { outcome: "erasing" } : { outcome: "erased", erasedAt: emptiedAt };
  }
}
