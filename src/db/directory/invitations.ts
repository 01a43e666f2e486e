import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { type Invitation, invitations } from "./schema.ts";

/** The invitation of an email if it is unused and not expired. @param email lower case */
export async function findInvitation(db: Directory, email: string, now: number): Promise<Invitation | undefined> {
  const isGood = and(eq(invitations.email, email), isNull(invitations.accountId), gt(invitations.expiresAt, now));
  return db.select().from(invitations).where(isGood).get();
}

/** Invites an email. An existing invitation gets the new code and expiry. */
export async function putInvitation(
  db: Directory,
  invitation: Pick<Invitation, "email" | "codeHash" | "createdAt" | "expiresAt">,
): Promise<void> {
  const { codeHash, createdAt, expiresAt } = invitation;
  const set = { codeHash, createdAt, expiresAt, accountId: sql`null`, usedAt: sql`null` };
  await db.idempotent(() =>
    db.insert(invitations).values(invitation).onConflictDoUpdate({ target: invitations.email, set }).run(),
  );
}

/** @returns false if there is none */
export async function deleteInvitation(db: Directory, email: string): Promise<boolean> {
  const deleted = await db.idempotent(() =>
    db.delete(invitations).where(eq(invitations.email, email)).returning({ email: invitations.email }).all(),
  );
  return deleted.length > 0;
}

/** Invitations after this email, in the order of their emails. */
export async function listInvitations(db: Directory, afterEmail: string, limit: number): Promise<Invitation[]> {
  const { email } = invitations;
  return db.select().from(invitations).where(gt(email, afterEmail)).orderBy(email).limit(limit).all();
}
