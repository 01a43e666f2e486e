import { findAccount } from "../../db/directory/accounts.ts";
import type { NewUploadKey } from "../../db/directory/keys.ts";
import type { Key } from "../../db/directory/schema.ts";
import type { NewSession } from "../books/session-store.ts";
import { type Intent, intentId, toUploadKey } from "../intents/intent.ts";
import type { MeterContext } from "./context.ts";
import type { SessionOpening } from "./outcomes.ts";

/** Sessions, keys and the password. A revoked credential is refused from the call on, and the directory is changed afterwards. */

/** The id of the intent: an account has one change of its password at a time. */
const SET_PASSWORD = "set-password" satisfies Intent["kind"];

/**
 * Opens a session for a user whose password was verified against this hash.
 * @returns `refused` if the hash is no longer the account's, or the account no longer exists
 */
export async function openSession(
  context: MeterContext,
  session: NewSession,
  verifiedHash: string,
): Promise<SessionOpening> {
  const { tables, load } = context;
  if (!(await load()) || !(await isPassword(context, verifiedHash)) || tables.erasing) return { outcome: "refused" };
  const { reason } = tables.suspension.current ?? {};
  if (reason !== undefined) return { outcome: "suspended", reason };
  tables.sessions.open(session, Date.now());
  return { outcome: "opened", isNewDevice: tables.devices.meet(session.deviceDigests, Date.now()) };
}

/**
 * Sets a new password, ends every other session and revokes these keys, all in one transaction.
 * @returns false if the session has ended since the request was admitted
 */
export async function setPassword(
  context: MeterContext,
  passwordHash: string,
  sessionId: string,
  revokedKeyIds: readonly string[] = [],
): Promise<boolean> {
  const { tables, load } = context;
  if (!(await load()) || !tables.lives({ kind: "session", sessionId }, Date.now())) return false;
  await putPassword(context, passwordHash, sessionId, revokedKeyIds);
  return true;
}

/**
 * Sets a new password for a user who proved to read the account's mail, and ends every session.
 * @param formerHash the hash for which the proof is valid: a second use of it finds another password
 * @returns false if the password was changed since, or the account no longer exists
 */
export async function resetPassword(
  context: MeterContext,
  passwordHash: string,
  formerHash: string,
  revokedKeyIds: readonly string[],
): Promise<boolean> {
  const { tables, runner, load } = context;
  if (!(await load()) || tables.erasing) return false;
  if (tables.credentials.isPassword(passwordHash)) {
    // This call is a repeat. The object may have died before the directory had the password.
    await runner.goOn(SET_PASSWORD);
    await revokeStored(context, revokedKeyIds);
    return true;
  }
  // The hash is compared again: another call may have changed the password during the wait.
  if (!(await isPassword(context, formerHash)) || !tables.credentials.isPassword(formerHash)) return false;
  await putPassword(context, passwordHash, null, revokedKeyIds);
  return true;
}

/** @param keptSessionId the only session that stays; null: none */
async function putPassword(
  context: MeterContext,
  passwordHash: string,
  keptSessionId: string | null,
  revokedKeyIds: readonly string[],
): Promise<void> {
  const { tables, runner } = context;
  await runner.changeAccount({ kind: "set-password", passwordHash }, () => {
    tables.credentials.setPassword(passwordHash);
    tables.sessions.endOthers(keptSessionId);
    tables.uploadTokens.removeOfSessions(keptSessionId);
    for (const keyId of revokedKeyIds) {
      tables.credentials.revokeKey(keyId);
      tables.uploadTokens.removeOfKey(keyId);
      tables.intents.put({ kind: "revoke-key", keyId }, 0, Date.now());
    }
  });
  await revokeStored(context, revokedKeyIds);
}

/** Carries out the stored revocations of these keys. */
async function revokeStored({ runner }: MeterContext, keyIds: readonly string[]): Promise<void> {
  for (const keyId of keyIds) await runner.goOn(intentId({ kind: "revoke-key", keyId }));
}

/**
 * Copies a key that the directory has stored, so that a restored directory can get it back from here.
 * @returns false if the session that made it has ended since the request was admitted
 */
export async function learnKey({ tables, load }: MeterContext, key: Key, sessionId: string): Promise<boolean> {
  if (!(await load()) || !tables.lives({ kind: "session", sessionId }, Date.now())) return false;
  tables.credentials.learnKey(key);
  return true;
}

export async function revokeKey({ tables, runner, load }: MeterContext, keyId: string): Promise<void> {
  if (!(await load())) return;
  await runner.change({ kind: "revoke-key", keyId }, () => {
    tables.credentials.revokeKey(keyId);
    tables.uploadTokens.removeOfKey(keyId);
  });
}

/**
 * Makes a key the only upload key. Of several calls at once, the last call's key is valid.
 * @param sessionId the session of the request; undefined for a change of tier
 * @returns false if another key has replaced it since, the session has ended, or the account no longer exists
 */
export async function replaceUploadKey(
  { tables, runner, load }: MeterContext,
  key: NewUploadKey,
  sessionId?: string,
): Promise<boolean> {
  if (!(await load()) || tables.erasing) return false;
  if (sessionId !== undefined && !tables.lives({ kind: "session", sessionId }, Date.now())) return false;
  await runner.changeAccount({ kind: "replace-upload-key", key }, () => {
    tables.credentials.setUploadKey(key.id);
    tables.credentials.learnKey(toUploadKey(tables.ledger.accountId, key));
  });
  return tables.credentials.uploadKey === key.id;
}

/**
 * Whether this is the hash of the account's password. If it is not, the directory was restored to an earlier password and gets the newer
 * one. An object that is older than its copy of the hash has only a digest: then the directory decides.
 */
async function isPassword({ tables, runner, openDirectory }: MeterContext, passwordHash: string): Promise<boolean> {
  if (tables.credentials.isPassword(passwordHash)) return true;
  const pending = tables.intents.find("set-password")?.intent;
  if (pending?.kind === "set-password") return pending.passwordHash === passwordHash;
  const { passwordDigest } = tables.credentials;
  const account = await findAccount(openDirectory(), tables.ledger.accountId);
  const wasChanged = tables.credentials.passwordDigest !== passwordDigest;
  if (wasChanged || account?.passwordHash !== passwordHash) return tables.credentials.isPassword(passwordHash);
  const known = tables.credentials.passwordHash;
  if (known !== undefined) {
    await runner.changeAccount({ kind: "set-password", passwordHash: known });
    return false;
  }
  tables.credentials.setPassword(passwordHash);
  return true;
}
