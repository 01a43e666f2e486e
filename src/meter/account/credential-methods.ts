import { findAccount } from "../../db/directory/accounts.ts";
import type { NewUploadKey } from "../../db/directory/keys.ts";
import type { Key } from "../../db/directory/schema.ts";
import { toUploadKey } from "../intent.ts";
import { LibraryMethods } from "./library-methods.ts";

/** Sessions, keys and the password: who loses one is refused from that call on, and the catalogue follows. */
export abstract class CredentialMethods extends LibraryMethods {
  /**
   * Logs in whoever gave the password of this hash.
   * @returns false where that is not the account's password any more, or the account is no more
   */
  async openSession(sessionId: string, expiresAt: number, verifiedHash: string): Promise<boolean> {
    if (!(await this.load()) || !(await this.#isPassword(verifiedHash)) || this.books.erasing) return false;
    this.books.credentials.openSession(sessionId, Date.now(), expiresAt);
    return true;
  }

  async endSession(sessionId: string): Promise<void> {
    this.books.credentials.endSession(sessionId);
  }

  /**
   * A new password ends every session but the one it was set in.
   * @returns false where that session has ended meanwhile: its owner's right to do this was lost with it
   */
  async setPassword(passwordHash: string, sessionId: string): Promise<boolean> {
    if (!(await this.load()) || !this.books.lives({ kind: "session", sessionId }, Date.now())) return false;
    await this.runner.changeAccount({ kind: "set-password", passwordHash }, () => {
      this.books.credentials.setPassword(passwordHash);
      this.books.credentials.endOtherSessions(sessionId);
    });
    return true;
  }

  /** Keeps what a key is that the catalogue has by now: a catalogue restored to an earlier moment gets it back. */
  async learnKey(key: Key): Promise<void> {
    if ((await this.load()) && !this.books.erasing) this.books.credentials.learnKey(key);
  }

  /** From this call on the key is refused; the catalogue follows. */
  async revokeKey(keyId: string): Promise<void> {
    if (!(await this.load())) return;
    await this.runner.change({ kind: "revoke-key", keyId }, () => this.books.credentials.revokeKey(keyId));
  }

  /**
   * Makes a key the only upload key: the ones before it are refused from now on. Of several calls at once the last one's
   * key lives.
   * @returns false where another key has taken its place meanwhile, or the account is no more
   */
  async replaceUploadKey(key: NewUploadKey): Promise<boolean> {
    if (!(await this.load()) || this.books.erasing) return false;
    await this.runner.changeAccount({ kind: "replace-upload-key", key }, () => {
      this.books.credentials.setUploadKey(key.id);
      this.books.credentials.learnKey(toUploadKey(this.books.ledger.accountId, key));
    });
    return this.books.credentials.uploadKey === key.id;
  }

  /** When each key was last used, by key id, exact to the minute. */
  async keyUses(): Promise<Record<string, number>> {
    return this.books.credentials.keyUses();
  }

  /**
   * Whether this is the hash of the account's password. Where it is not, the catalogue was restored to an earlier one, and is told.
   * An object that is older than its copy of the hash knows a digest at most: then the catalogue has the last word.
   */
  async #isPassword(passwordHash: string): Promise<boolean> {
    if (this.books.credentials.isPassword(passwordHash)) return true;
    const pending = this.books.intents.find("set-password")?.intent;
    if (pending?.kind === "set-password") return pending.passwordHash === passwordHash;
    const { passwordDigest } = this.books.credentials;
    const account = await findAccount(this.openDirectory(), this.books.ledger.accountId);
    const wasChanged = this.books.credentials.passwordDigest !== passwordDigest;
    if (wasChanged || account?.passwordHash !== passwordHash) return this.books.credentials.isPassword(passwordHash);
    const known = this.books.credentials.passwordHash;
    if (known !== undefined) {
      await this.runner.changeAccount({ kind: "set-password", passwordHash: known });
      return false;
    }
    this.books.credentials.setPassword(passwordHash);
    return true;
  }
}
