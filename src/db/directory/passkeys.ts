import { and, count, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { accounts, type Passkey, passkeys } from "./schema.ts";

/** @returns false if the account has that many passkeys, or the credential is registered already */
export async function insertPasskey(db: Directory, passkey: Passkey, maxPasskeys: number): Promise<boolean> {
  const held = db.select({ count: count() }).from(passkeys).where(eq(passkeys.accountId, passkey.accountId));
  const row = db
    .select({
      id: sql`${passkey.id}`.as("id"),
      accountId: accounts.id,
      credentialId: sql`${passkey.credentialId}`.as("credential_id"),
      publicKey: sql`${passkey.publicKey}`.as("public_key"),
      counter: sql`${passkey.counter}`.as("counter"),
      transports: sql`${JSON.stringify(passkey.transports)}`.as("transports"),
      name: sql`${passkey.name}`.as("name"),
      createdAt: sql`${passkey.createdAt}`.as("created_at"),
      usedAt: sql`null`.as("used_at"),
      challengedAt: sql`${passkey.challengedAt}`.as("challenged_at"),
    })
    .from(accounts)
    .where(and(eq(accounts.id, passkey.accountId), lt(sql`(${held})`, maxPasskeys)));
  const [, found] = await db.idempotent(() =>
    db.batch([
      db.insert(passkeys).select(row).onConflictDoNothing(),
      db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.id, passkey.id)),
    ]),
  );
  return found.length > 0;
}

/** The account's passkeys, newest first. */
export async function listPasskeys(db: Directory, accountId: string): Promise<Passkey[]> {
  return db.select().from(passkeys).where(eq(passkeys.accountId, accountId)).orderBy(desc(passkeys.id)).all();
}

/** A query without an account: the credential identifies the account. */
export async function findPasskeyByCredential(db: Directory, credentialId: string): Promise<Passkey | undefined> {
  return db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)).get();
}

/**
 * Records a use of a passkey. From then on, this challenge and earlier ones are refused, and so are counts up to this one but 0.
 * @returns false if the challenge or the count was used before, or the passkey was removed
 */
export async function usePasskey(
  db: Directory,
  { id, accountId }: Passkey,
  use: Pick<Passkey, "counter" | "challengedAt" | "usedAt">,
): Promise<boolean> {
  // A passkey that counts nothing stays at 0.
  const isNewer = and(lt(passkeys.challengedAt, use.challengedAt), lt(passkeys.counter, Math.max(use.counter, 1)));
  const used = await db
    .update(passkeys)
    .set(use)
    .where(and(eq(passkeys.accountId, accountId), eq(passkeys.id, id), isNewer))
    .returning({ id: passkeys.id })
    .all();
  return used.length > 0;
}

/** @returns false if the account has no such passkey */
export async function deletePasskey(db: Directory, accountId: string, id: string): Promise<boolean> {
  const own = and(eq(passkeys.accountId, accountId), eq(passkeys.id, id));
  return (await db.delete(passkeys).where(own).returning({ id: passkeys.id }).all()).length > 0;
}

/** Deletes the passkeys that were made from this time on. */
export async function deletePasskeysSince(db: Directory, accountId: string, since: number): Promise<void> {
  const made = and(eq(passkeys.accountId, accountId), gte(passkeys.createdAt, since));
  await db.idempotent(() => db.delete(passkeys).where(made).run());
}
