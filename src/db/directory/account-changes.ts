import { and, eq, exists, isNull, ne, notExists, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { AccountSettings } from "../../domain/account-settings.ts";
import type { Shard } from "../../domain/ids.ts";
import type { TierName } from "../../domain/tiers.ts";
import type { Directory } from "./directory.ts";
import { insertUploadKeyWhere, type NewUploadKey } from "./keys.ts";
import { type AccountChangeKind, accountChanges, accounts, emailChanges, keys } from "./schema.ts";

/**
 * Changes that an account's Durable Object makes in the directory. An object that was reset does not know whether its last call arrived,
 * and a slow call may arrive after a newer one. So each change has the time of the object's clock, which never goes back. A change that is
 * older than the last one of its kind changes nothing, nor does a repeated change.
 */
export interface MadeAt {
  readonly accountId: string;
  readonly changedAt: number;
}

/** Sets the tier. Adds `uploadKey` if the account has no active upload key. */
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

/** The directory has no copy of the metadata mode. */
export async function changeSettings(
  db: Directory,
  made: MadeAt,
  { autoCompress, compressionQuality }: AccountSettings,
): Promise<void> {
  await changeRow(db, "set-settings", made, { autoCompress, compressionQuality });
}

export async function changePassword(db: Directory, made: MadeAt, passwordHash: string): Promise<void> {
  await changeRow(db, "set-password", made, { passwordHash });
}

/** A change of the address, or the proof of it. */
export interface EmailSetting {
  /** The address that is replaced. If the account has another one by now, the change does nothing. */
  readonly from: string;
  /** Lower case; the same as `from` if it is only verified. */
  readonly email: string;
  readonly verifiedAt: number;
}

/** Sets and verifies the address, unless another account has it. It deletes the account's waiting change of the address. */
export async function changeEmail(
  db: Directory,
  made: MadeAt,
  { from, email, verifiedAt }: EmailSetting,
): Promise<void> {
  await makeChange(db, "set-email", made, (isNewest) => {
    const isOwn = eq(accounts.id, made.accountId);
    const isFree = sql`NOT EXISTS (SELECT 1 FROM accounts AS others WHERE others.email = ${email} AND others.id <> ${made.accountId})`;
    const isMade = exists(
      db
        .select({ one: sql`1` })
        .from(accounts)
        .where(and(isOwn, eq(accounts.email, email))),
    );
    return [
      db
        .update(accounts)
        .set({ email, emailVerifiedAt: verifiedAt, verifyBy: null })
        .where(and(isOwn, isNewest, eq(accounts.email, from), isFree)),
      db
        .delete(emailChanges)
        .where(and(eq(emailChanges.accountId, made.accountId), isNewest, isMade, ne(sql`${from}`, email))),
    ];
  });
}

/** Records the shard of an account's library. */
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

/** Records the change if no newer change of its kind is recorded, and applies it in the same transaction. */
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
