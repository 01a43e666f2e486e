import {
  and,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  notExists,
  notLike,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { insertUploadKeyWhere } from "./keys.ts";
import {
  type Account,
  accounts,
  emailChanges,
  invitations,
  type Key,
  keys,
  mailProofs,
  passkeys,
  recoveryCodes,
  secondFactors,
} from "./schema.ts";

/**
 * @param options `invitation`: the hash of a code; uses up the email's invitation with it in the same transaction
 * @returns false if the email is taken or has no valid invitation
 */
export async function insertAccount(
  db: Directory,
  account: Account,
  uploadKey: Key,
  { invitation = null }: { readonly invitation?: string | null } = {},
): Promise<boolean> {
  // If the account was not inserted, this inserts nothing: its id is new, so no row matches.
  const insertKey = insertUploadKeyWhere(db, uploadKey, eq(accounts.id, account.id));
  const find = db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id));
  const inserted = await db.idempotent(async () => {
    if (invitation === null) {
      const insert = db.insert(accounts).values(account).onConflictDoNothing();
      return (await db.batch([insert, insertKey, find]))[2];
    }
    const [take, insert, giveBack] = insertInvited(db, account, invitation);
    return (await db.batch([take, insert, insertKey, giveBack, find]))[4];
  });
  return inserted.length > 0;
}

/** Takes the invitation, inserts the account if that succeeded, and returns the invitation if the email is taken. */
function insertInvited(db: Directory, account: Account, codeHash: string) {
  const { id, email, createdAt } = account;
  const isItsCode = and(eq(invitations.email, email), eq(invitations.codeHash, codeHash));
  const isGood = and(isItsCode, isNull(invitations.accountId), gt(invitations.expiresAt, createdAt));
  const isTaken = eq(invitations.accountId, id);
  const columns = Object.entries(getTableColumns(accounts)).map(([name, column]) => {
    const value = sql.param(account[name as keyof Account], column);
    return [name, sql`${value}`.as(column.name)] as const;
  });
  const row = db
    .select(Object.fromEntries(columns) as Record<keyof Account, SQL.Aliased>)
    .from(invitations)
    .where(isTaken);
  const exists = db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id));
  return [
    db.update(invitations).set({ accountId: id, usedAt: createdAt }).where(isGood),
    db.insert(accounts).select(row).onConflictDoNothing(),
    db
      .update(invitations)
      .set({ accountId: null, usedAt: null })
      .where(and(isTaken, notExists(exists))),
  ] as const;
}

export async function findAccount(db: Directory, accountId: string): Promise<Account | undefined> {
  return db.select().from(accounts).where(eq(accounts.id, accountId)).get();
}

export type AccountPlace = Pick<Account, "id" | "shard">;

/** Lists accounts with the shards of their libraries, from this id on, for operator tasks about every account. */
export async function listAccountPlaces(db: Directory, fromId: string, limit: number): Promise<AccountPlace[]> {
  const { id, shard } = accounts;
  return db.select({ id, shard }).from(accounts).where(gte(id, fromId)).orderBy(id).limit(limit).all();
}

/** @param email as stored: lower case */
export async function findAccountByEmail(db: Directory, email: string): Promise<Account | undefined> {
  return db.select().from(accounts).where(eq(accounts.email, email)).get();
}

/** A page of the accounts whose e-mail begins with a text, in the order of e-mails. Accounts that are being erased have no e-mail. */
export async function listAccounts(
  db: Directory,
  { prefix, after, limit }: { readonly prefix: string; readonly after: string; readonly limit: number },
): Promise<Account[]> {
  const { email } = accounts;
  const isFound = and(
    gt(email, after),
    gte(email, prefix),
    lt(email, `${prefix}\u{10ffff}`),
    notLike(email, "erased:%"),
  );
  return db.select().from(accounts).where(isFound).orderBy(email).limit(limit).all();
}

/** Accounts with the operator's mark after this id, by id. */
export async function listOperators(
  db: Directory,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Account[]> {
  const isFound = and(isNotNull(accounts.operatorSince), gt(accounts.id, after));
  return db.select().from(accounts).where(isFound).orderBy(accounts.id).limit(limit).all();
}

/** Gives an account the operator's mark, or takes it. A mark that it has stays as it is. */
export async function setOperator(
  db: Directory,
  accountId: string,
  since: number | null,
): Promise<Account | undefined> {
  const operatorSince = since === null ? null : sql`coalesce(${accounts.operatorSince}, ${since})`;
  return db.idempotent(() =>
    db.update(accounts).set({ operatorSince }).where(eq(accounts.id, accountId)).returning().get(),
  );
}

/** Sets the name. No Durable Object has a copy of it. */
export async function updateName(db: Directory, accountId: string, name: string | null): Promise<Account | undefined> {
  return db.idempotent(() => db.update(accounts).set({ name }).where(eq(accounts.id, accountId)).returning().get());
}

/** Frees the email and makes login impossible. This is the first step of an erasure, which takes long for a large library. */
export async function closeAccount(db: Directory, accountId: string): Promise<void> {
  const update = db
    .update(accounts)
    .set({ email: sql`'erased:' || ${accounts.id}`, name: null, passwordHash: "", operatorSince: null })
    .where(eq(accounts.id, accountId));
  // The account's invitation contains its email, too.
  const deleteInvitation = db.delete(invitations).where(eq(invitations.accountId, accountId));
  const deleteKeys = db.delete(keys).where(eq(keys.accountId, accountId));
  const deleteSignIn = [passkeys, secondFactors, recoveryCodes].map((table) =>
    db.delete(table).where(eq(table.accountId, accountId)),
  );
  const deleteProofs = db.delete(mailProofs).where(eq(mailProofs.accountId, accountId));
  const deleteChange = db.delete(emailChanges).where(eq(emailChanges.accountId, accountId));
  await db.idempotent(() =>
    db.batch([deleteKeys, ...deleteSignIn, deleteProofs, deleteChange, deleteInvitation, update]),
  );
}

/** Deletes an account whose registration failed and restores its invitation. */
export async function withdrawAccount(db: Directory, accountId: string): Promise<void> {
  const giveBack = db
    .update(invitations)
    .set({ accountId: null, usedAt: null })
    .where(eq(invitations.accountId, accountId));
  await db.idempotent(() => db.batch([giveBack, db.delete(accounts).where(eq(accounts.id, accountId))]));
}

/** Deletes an account with its keys. Its library must be deleted first. */
export async function deleteAccount(db: Directory, accountId: string): Promise<void> {
  await db.idempotent(() => db.delete(accounts).where(eq(accounts.id, accountId)).run());
}
