import { and, eq, exists, isNull, ne, notExists, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { AccountSettings } from "../../domain/account-settings.ts";
import type { Shard } from "../../domain/shard.ts";
import type { TierName } from "../../domain/tiers.ts";
import type { Directory } from "./directory.ts";
import { insertUploadKeyWhere, type NewUploadKey } from "./keys.ts";
import { type AccountChangeKind, accountChanges, accounts, keys } from "./schema.ts";

/**
 * What an account's Durable Object changes in the directory. An object that was reset does not know whether its last call arrived, and
 * one that is slow may arrive after a newer one: so each change says when it was made, on the object's own clock, which never goes
 * back, and one that is older than the last of its kind changes nothing. Made again, it changes nothing either.
 */
export interface MadeAt {
  readonly accountId: string;
  readonly changedAt: number;
}

/** Sets the tier and gives the account `uploadKey` if it has no upload key that lives. */
export async function changeTier(
  db: Directory,
  made: MadeAt,
  tier: { readonly tier: TierName; readonly billingAnchorAt: number | null },
  uploadKey: NewUploadKey | null,
): Promise<void> {
  await makeChange(db, "set-tier", made, (isNewest) => {
    const update = db
      .update(accounts)
      .set(tier)
      .where(and(eq(accounts.id, made.accountId), isNewest));
    if (uploadKey === null) return [update];
    const living = db
      .select({ id: keys.id })
      .from(keys)
      .where(and(eq(keys.accountId, made.accountId), eq(keys.kind, "upload"), isNull(keys.revokedAt)));
    const condition = and(eq(accounts.id, made.accountId), isNewest, notExists(living));
    return [update, insertUploadKeyWhere(db, uploadKey, condition)];
  });
}

export async function changeSettings(db: Directory, made: MadeAt, settings: AccountSettings): Promise<void> {
  await changeRow(db, "set-settings", made, settings);
}

export async function changePassword(db: Directory, made: MadeAt, passwordHash: string): Promise<void> {
  await changeRow(db, "set-password", made, { passwordHash });
}

/** Says in which shard an account's library is. */
export async function changeShard(db: Directory, made: MadeAt, shard: Shard): Promise<void> {
  await changeRow(db, "move", made, { shard });
}

/** Inserts this upload key and revokes every other. */
export async function replaceUploadKey(
  db: Directory,
  made: MadeAt,
  uploadKey: NewUploadKey,
  revokedAt: number,
): Promise<void> {
  await makeChange(db, "replace-upload-key", made, (isNewest) => {
    const others = and(eq(keys.kind, "upload"), isNull(keys.revokedAt), ne(keys.id, uploadKey.id));
    const revoke = db
      .update(keys)
      .set({ revokedAt })
      .where(and(eq(keys.accountId, made.accountId), others, isNewest));
    return [revoke, insertUploadKeyWhere(db, uploadKey, and(eq(accounts.id, made.accountId), isNewest))];
  });
}

async function changeRow(
  db: Directory,
  kind: AccountChangeKind,
  made: MadeAt,
  change: Partial<typeof accounts.$inferInsert>,
): Promise<void> {
  await makeChange(db, kind, made, (isNewest) => [
    db
      .update(accounts)
      .set(change)
      .where(and(eq(accounts.id, made.accountId), isNewest)),
  ]);
}

/** In one transaction: notes the change where none of its kind is newer, and makes it where it is noted. */
async function makeChange(
  db: Directory,
  kind: AccountChangeKind,
  { accountId, changedAt }: MadeAt,
  statements: (isNewest: SQL) => BatchItem<"sqlite">[],
): Promise<void> {
  const { accountId: ofAccount, kind: ofKind, changedAt: at } = accountChanges;
  const noted = db
    .select({
      accountId: accounts.id,
      kind: sql`${kind}`.as("kind"),
      changedAt: sql`${changedAt}`.as("changed_at"),
    })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const note = db
    .insert(accountChanges)
    .select(noted)
    .onConflictDoUpdate({
      target: [ofAccount, ofKind],
      set: { changedAt },
      setWhere: sql`${at} < ${changedAt}`,
    });
  const isNoted = and(eq(ofAccount, accountId), eq(ofKind, kind), eq(at, changedAt));
  const isNewest = exists(db.select({ one: sql`1` }).from(accountChanges).where(isNoted));
  await db.idempotent(() => db.batch([note, ...statements(isNewest)]));
}
