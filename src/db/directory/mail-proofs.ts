import { and, desc, eq, gt, inArray, lte, notInArray, or } from "drizzle-orm";
import type { ProofPurpose } from "../../domain/mail-proofs.ts";
import type { Directory } from "./directory.ts";
import { type MailProof, mailProofs } from "./schema.ts";

/** The number of links of one purpose that are valid at once. A mail that was sent twice has two links. */
const MAX_PROOFS = 5;

/** Stores a link, and removes the account's expired and oldest links of the purpose. */
export async function insertMailProof(db: Directory, proof: MailProof): Promise<void> {
  const { accountId, purpose, expiresAt, codeHash, ...values } = mailProofs;
  const isOfPurpose = and(eq(accountId, proof.accountId), eq(purpose, proof.purpose));
  const newest = db
    .select({ hash: values.hash })
    .from(mailProofs)
    .where(isOfPurpose)
    .orderBy(desc(values.createdAt))
    .limit(MAX_PROOFS - 1);
  const isOld = or(lte(expiresAt, proof.createdAt), notInArray(values.hash, newest));
  await db.idempotent(() =>
    db.batch([
      db.delete(mailProofs).where(and(isOfPurpose, isOld)),
      db.insert(mailProofs).values(proof).onConflictDoNothing(),
    ]),
  );
}

/** A valid link by its token's hash. The token is random, so it identifies the account. */
export async function findMailProof(
  db: Directory,
  hash: string,
  purposes: readonly ProofPurpose[],
  now: number,
): Promise<MailProof | undefined> {
  const { purpose, expiresAt } = mailProofs;
  return db
    .select()
    .from(mailProofs)
    .where(and(eq(mailProofs.hash, hash), inArray(purpose, [...purposes]), gt(expiresAt, now)))
    .get();
}

/** A valid link by the hash of the code in its mail. */
export async function findMailProofByCode(
  db: Directory,
  ofAccount: string,
  codeHash: string,
  now: number,
): Promise<MailProof | undefined> {
  const { accountId, expiresAt } = mailProofs;
  return db
    .select()
    .from(mailProofs)
    .where(and(eq(accountId, ofAccount), eq(mailProofs.codeHash, codeHash), gt(expiresAt, now)))
    .get();
}
