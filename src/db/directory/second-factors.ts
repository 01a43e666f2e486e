import { and, count, eq, isNotNull, isNull, lt } from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { recoveryCodes, type SecondFactor, secondFactors } from "./schema.ts";

/** The account's authenticator, confirmed or not. */
export async function findSecondFactor(db: Directory, accountId: string): Promise<SecondFactor | undefined> {
  return db.select().from(secondFactors).where(eq(secondFactors.accountId, accountId)).get();
}

/**
 * Stores an authenticator that still has to be confirmed. It replaces an earlier unconfirmed one.
 * @returns false if the account has a confirmed authenticator
 */
export async function putSecondFactor(
  db: Directory,
  factor: Pick<SecondFactor, "accountId" | "secret" | "createdAt">,
): Promise<boolean> {
  const { secret, createdAt } = factor;
  const stored = await db.idempotent(() =>
    db
      .insert(secondFactors)
      .values({ ...factor, confirmedAt: null, usedStep: 0 })
      .onConflictDoUpdate({
        target: secondFactors.accountId,
        set: { secret, createdAt },
        setWhere: isNull(secondFactors.confirmedAt),
      })
      .returning({ secret: secondFactors.secret })
      .all(),
  );
  return stored.length > 0;
}

/** Confirms the authenticator with this secret, and stores the hashes of its recovery codes. */
export async function confirmSecondFactor(
  db: Directory,
  { accountId, secret }: SecondFactor,
  {
    usedStep,
    confirmedAt,
    hashes,
  }: { readonly usedStep: number; readonly confirmedAt: number; readonly hashes: readonly string[] },
): Promise<void> {
  const confirm = db
    .update(secondFactors)
    .set({ confirmedAt, usedStep })
    .where(and(eq(secondFactors.accountId, accountId), eq(secondFactors.secret, secret)));
  await db.idempotent(() => db.batch([confirm, ...replaceCodes(db, accountId, hashes)]));
}

/**
 * Marks a code's time step as used, and stores the secret if it was encrypted again after a rotation of `SIGN_IN_SECRET`.
 * @returns false if this step or a later one was used before. The write is not repeated: a lost answer costs one code
 */
export async function useTotpStep(
  db: Directory,
  { accountId, secret }: Pick<SecondFactor, "accountId" | "secret">,
  usedStep: number,
  resealed: string | undefined,
): Promise<boolean> {
  const used = await db
    .update(secondFactors)
    .set({ usedStep, ...(resealed !== undefined && { secret: resealed }) })
    .where(
      and(
        eq(secondFactors.accountId, accountId),
        lt(secondFactors.usedStep, usedStep),
        resealed === undefined ? undefined : eq(secondFactors.secret, secret),
      ),
    )
    .returning({ accountId: secondFactors.accountId })
    .all();
  return used.length > 0;
}

/** Marks a recovery code as used. @returns false if the account has no such unused code */
export async function useRecoveryCode(
  db: Directory,
  accountId: string,
  hash: string,
  usedAt: number,
): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt })
    .where(and(eq(recoveryCodes.accountId, accountId), eq(recoveryCodes.hash, hash), isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash })
    .all();
  return used.length > 0;
}

/** Replaces all recovery codes, including used ones, if the account has a confirmed authenticator. */
export async function replaceRecoveryCodes(db: Directory, accountId: string, hashes: readonly string[]): Promise<void> {
  await db.idempotent(() => db.batch(replaceCodes(db, accountId, hashes)));
}

export async function countRecoveryCodes(db: Directory, accountId: string): Promise<number> {
  const unused = and(eq(recoveryCodes.accountId, accountId), isNull(recoveryCodes.usedAt));
  return (await db.select({ count: count() }).from(recoveryCodes).where(unused).get())?.count ?? 0;
}

/** @returns false if there was no confirmed authenticator */
export async function deleteSecondFactor(db: Directory, accountId: string): Promise<boolean> {
  const confirmed = and(eq(secondFactors.accountId, accountId), isNotNull(secondFactors.confirmedAt));
  const [, deleted] = await db.batch([
    db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId)),
    db.delete(secondFactors).where(confirmed).returning({ accountId: secondFactors.accountId }),
  ]);
  return deleted.length > 0;
}

function replaceCodes(db: Directory, accountId: string, hashes: readonly string[]) {
  return [
    db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId)),
    db.insert(recoveryCodes).values(hashes.map((hash) => ({ accountId, hash, usedAt: null }))),
  ] as const;
}
