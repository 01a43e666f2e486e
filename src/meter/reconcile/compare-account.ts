import { changeShard } from "../../db/directory/account-changes.ts";
import { findAccount } from "../../db/directory/accounts.ts";
import { markKeyRevoked } from "../../db/directory/keys.ts";
import { listEveryKey, restoreAccount, restoreKey } from "../../db/directory/restore.ts";
import type { Account, Key } from "../../db/directory/schema.ts";
import { bringHomeSome, hasUploads } from "../../db/library/compare/bring-home.ts";
import { findLibraryState, type LibraryState, putLibrary } from "../../db/library/library-state.ts";
import type { Shard } from "../../domain/ids.ts";
import type { AccountTables } from "../account/account-tables.ts";
import { rulesInTier } from "../account/change-file-rules.ts";
import type { Profile } from "../books/credential-store.ts";
import type { Comparison } from "./comparison.ts";
import { type Difference, done, toFinding } from "./difference.ts";
import type { Finding } from "./finding.ts";

/** The pages of rows in another shard that one step copies back. */
const PAGES_PER_STEP = 50;
/** An account that changes in all these attempts is postponed to another night. */
const ATTEMPTS = 3;

/**
 * Compares the account's facts in the directory and the shards with the facts of its object. The object decides about tier, settings,
 * password, verified address, keys and shard, because each change went through it. Facts that it does not know (accounts older than its
 * copies) are copied from the directory.
 * @returns undefined if the account changed in every attempt
 */
export async function compareAccount(
  comparison: Comparison,
  places: readonly Shard[],
): Promise<{ readonly findings: Finding[]; readonly done: boolean } | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { tables, stores } = comparison;
    const before = snapshot(tables);
    const account = await findAccount(stores.directory, stores.accountId);
    const keys = await listEveryKey(stores.directory, stores.accountId);
    const state = await findLibraryState(stores.library, stores.accountId);
    if (before === undefined || snapshot(tables) !== before) continue;
    // There is no await until all of these are computed, so they describe one moment.
    const differences = [
      ...directoryDifferences(comparison, account),
      ...keyDifferences(comparison, keys),
      ...libraryDifferences(comparison, state),
    ];
    const findings: Finding[] = [];
    for (const difference of differences) findings.push(await toFinding(difference, comparison.repair));
    const elsewhere = await bringHome(comparison, places);
    return { findings: [...findings, ...elsewhere.findings], done: elsewhere.done };
  }
  return undefined;
}

/** The compared facts of the account's object; undefined while a change is being sent to the directory. */
function snapshot({ intents, ledger, credentials }: AccountTables): string | undefined {
  const kinds = [
    "register",
    "move",
    "erase",
    "revoke-key",
    "replace-upload-key",
    "set-tier",
    "set-password",
    "set-email",
    "set-settings",
  ] as const;
  if (intents.listOf(...kinds).length > 0) return undefined;
  return JSON.stringify([
    ledger.state,
    ledger.settings,
    credentials.profile,
    credentials.uploadKey,
    credentials.knownKeys(),
  ]);
}

function directoryDifferences({ stores, tables, runner }: Comparison, account: Account | undefined): Difference[] {
  const { directory, accountId } = stores;
  const { ledger, credentials } = tables;
  const { profile, passwordHash } = credentials;
  const expected = { ...ledger.state, ...ledger.settings };
  if (account === undefined) {
    if (profile === undefined) return [{ kind: "account-lost" }];
    return [
      {
        kind: "account-lost",
        detail: profile.email,
        repair: () =>
          restoreAccount(directory, { emailVerifiedAt: null, operatorSince: null, ...profile, ...expected }),
      },
    ];
  }
  const newerEmail = findNewerEmail(profile, account);
  if (passwordHash !== undefined) credentials.setProfile({ ...account, ...newerEmail, passwordHash });
  else if (credentials.isPassword(account.passwordHash)) credentials.setProfile({ ...account, ...newerEmail });
  const differing = (["tier", "billingAnchorAt", "autoCompress", "compressionQuality", "shard"] as const).filter(
    (name) => account[name] !== expected[name],
  );
  const isOldPassword = passwordHash !== undefined && account.passwordHash !== passwordHash;
  const detail = [...differing, ...(isOldPassword ? ["password"] : []), ...(newerEmail ? ["email"] : [])].join(", ");
  if (detail === "") return [];
  // These are the intents of the changes themselves. A later change has an intent after them, or replaces them.
  const repair = async () => {
    if (isOldPassword) await runner.changeAccount({ kind: "set-password", passwordHash });
    if (newerEmail !== undefined) {
      const { email, emailVerifiedAt: verifiedAt } = newerEmail;
      await runner.changeAccount({ kind: "set-email", from: account.email, email, verifiedAt });
    }
    const { tier, billingAnchorAt, shard } = ledger.state;
    const rules = rulesInTier(tables, tier);
    await runner.changeAccount({ kind: "set-tier", tier, billingAnchorAt, uploadKey: null, rules }, () =>
      tables.fileRules.put(rules),
    );
    await runner.changeAccount({ kind: "set-settings", settings: ledger.settings });
    if (differing.includes("shard")) {
      await changeShard(directory, { accountId, changedAt: tables.intents.nextChangeAt(Date.now()) }, shard);
    }
    return true;
  };
  return [{ kind: "account-differs", detail, repair }];
}

/** The verified address of the object, if the directory was restored to a time before it. */
function findNewerEmail(
  profile: Profile | undefined,
  account: Account,
): { readonly email: string; readonly emailVerifiedAt: number } | undefined {
  if (typeof profile?.emailVerifiedAt !== "number") return undefined;
  const { email, emailVerifiedAt } = profile;
  return email === account.email && account.emailVerifiedAt !== null ? undefined : { email, emailVerifiedAt };
}

function keyDifferences({ stores, tables }: Comparison, keys: readonly Key[]): Difference[] {
  const { credentials } = tables;
  const { accountId, directory, now } = stores;
  const isThere = new Set(keys.map(({ id }) => id));
  const differences: Difference[] = [];
  for (const key of keys) {
    if (key.revokedAt !== null) continue;
    if (credentials.keyLives(key.id, key.kind)) credentials.learnKey(key);
    else {
      const repair = () => done(markKeyRevoked(directory, accountId, key.id, now));
      differences.push({ kind: "revoked-key-lives", subject: key.id, repair });
    }
  }
  for (const key of credentials.knownKeys()) {
    if (isThere.has(key.id)) continue;
    differences.push({
      kind: "key-lost",
      subject: key.id,
      detail: key.name,
      repair: () => done(restoreKey(directory, key)),
    });
  }
  return differences;
}

function libraryDifferences({ stores, tables }: Comparison, state: LibraryState | undefined): Difference[] {
  if (state === "here") return [];
  const { library, accountId } = stores;
  const repair = () =>
    done(putLibrary(library, { accountId, movedAt: tables.intents.nextChangeAt(Date.now()) }, "here"));
  return [{ kind: "library-lost", subject: stores.shard, detail: state ?? "unknown", repair }];
}

async function bringHome(
  { stores, tables, repair }: Comparison,
  places: readonly Shard[],
): Promise<{ readonly findings: Finding[]; readonly done: boolean }> {
  const { accountId, library, libraries } = stores;
  const findings: Finding[] = [];
  for (const shard of places) {
    if (shard === stores.shard) continue;
    const other = libraries.open(shard);
    const isLeft = (await findLibraryState(other, accountId)) === "left" && !(await hasUploads(other, accountId));
    if (isLeft) continue;
    let repaired = false;
    for (let page = 0; repair && !repaired; page++) {
      if (page === PAGES_PER_STEP) return { findings, done: false };
      const movedAt = tables.intents.nextChangeAt(Date.now());
      repaired = await bringHomeSome(other, library, { accountId, movedAt, shard });
    }
    findings.push({ kind: "library-elsewhere", subject: shard, repaired });
  }
  return { findings, done: true };
}
