import { changeShard } from "../../db/directory/account-changes.ts";
import { findAccount } from "../../db/directory/accounts.ts";
import { markKeyRevoked } from "../../db/directory/keys.ts";
import { listEveryKey, restoreAccount, restoreKey } from "../../db/directory/restore.ts";
import type { Account, Key } from "../../db/directory/schema.ts";
import { bringHomeSome, hasUploads } from "../../db/library/compare/bring-home.ts";
import { findLibraryState, type LibraryState, putLibrary } from "../../db/library/library-state.ts";
import type { Shard } from "../../domain/shard.ts";
import type { AccountBooks } from "../account-books.ts";
import type { Comparison } from "./comparison.ts";
import { type Difference, done, toFinding } from "./difference.ts";
import type { Finding } from "./finding.ts";

/** Pages of a library elsewhere that one step brings home. */
const PAGES_PER_STEP = 50;
/** An account that is changed each time that it is compared is left for another night. */
const ATTEMPTS = 3;

/**
 * Compares what the directory and the shards say of an account with what its object knows: that is right about the tier, the settings,
 * the password, keys and where the library is, as each of their changes went through it. What it never learnt (of accounts that are
 * older than its copies) it learns from the directory.
 * @returns undefined where the account is changed all the time
 */
export async function compareAccount(
  comparison: Comparison,
  places: readonly Shard[],
): Promise<{ readonly findings: Finding[]; readonly done: boolean } | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { books, stores } = comparison;
    const before = snapshot(books);
    const account = await findAccount(stores.directory, stores.accountId);
    const keys = await listEveryKey(stores.directory, stores.accountId);
    const state = await findLibraryState(stores.library, stores.accountId);
    if (before === undefined || snapshot(books) !== before) continue;
    // Nothing is awaited before all of these are told: they are true of one moment.
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

/** What is compared, as the account's object has it; undefined while a change of it is on its way to the directory. */
function snapshot({ intents, ledger, credentials }: AccountBooks): string | undefined {
  const kinds = [
    "register",
    "move",
    "erase",
    "revoke-key",
    "replace-upload-key",
    "set-tier",
    "set-password",
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

function directoryDifferences({ stores, books, runner }: Comparison, account: Account | undefined): Difference[] {
  const { directory, accountId } = stores;
  const { ledger, credentials } = books;
  const { profile, passwordHash } = credentials;
  const expected = { ...ledger.state, ...ledger.settings };
  if (account === undefined) {
    if (profile === undefined) return [{ kind: "account-lost" }];
    return [
      {
        kind: "account-lost",
        detail: profile.email,
        repair: () => restoreAccount(directory, { ...profile, ...expected }),
      },
    ];
  }
  if (passwordHash !== undefined) credentials.setProfile({ ...account, passwordHash });
  else if (credentials.isPassword(account.passwordHash)) credentials.setProfile(account);
  const differing = (["tier", "billingAnchorAt", "autoCompress", "compressionQuality", "shard"] as const).filter(
    (name) => account[name] !== expected[name],
  );
  const isOldPassword = passwordHash !== undefined && account.passwordHash !== passwordHash;
  const detail = [...differing, ...(isOldPassword ? ["password"] : [])].join(", ");
  if (detail === "") return [];
  // The intents of the changes themselves: what is changed meanwhile comes after them, or takes their place.
  const repair = async () => {
    if (isOldPassword) await runner.changeAccount({ kind: "set-password", passwordHash });
    const { tier, billingAnchorAt, shard } = ledger.state;
    await runner.changeAccount({ kind: "set-tier", tier, billingAnchorAt, uploadKey: null });
    await runner.changeAccount({ kind: "set-settings", settings: ledger.settings });
    if (differing.includes("shard")) {
      await changeShard(directory, { accountId, changedAt: books.intents.nextChangeAt(Date.now()) }, shard);
    }
    return true;
  };
  return [{ kind: "account-differs", detail, repair }];
}

function keyDifferences({ stores, books }: Comparison, keys: readonly Key[]): Difference[] {
  const { credentials } = books;
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

function libraryDifferences({ stores, books }: Comparison, state: LibraryState | undefined): Difference[] {
  if (state === "here") return [];
  const { library, accountId } = stores;
  const repair = () =>
    done(putLibrary(library, { accountId, movedAt: books.intents.nextChangeAt(Date.now()) }, "here"));
  return [{ kind: "library-lost", subject: stores.shard, detail: state ?? "unknown", repair }];
}

async function bringHome(
  { stores, books, repair }: Comparison,
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
      const movedAt = books.intents.nextChangeAt(Date.now());
      repaired = await bringHomeSome(other, library, { accountId, movedAt, shard });
    }
    findings.push({ kind: "library-elsewhere", subject: shard, repaired });
  }
  return { findings, done: true };
}
