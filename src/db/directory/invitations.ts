import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { type Invitation, invitations } from "./schema.ts";

/** Whether an email has an invitation that is good: not used, not run out. @param email lower case */
export async function isInvited(db: Directory, email: string, now: number): Promise<boolean> {
  const isGood = and(eq(invitations.email, email), isNull(invitations.accountId), gt(invitations.expiresAt, now));
  return (await db.select({ email: invitations.email }).from(invitations).where(isGood).get()) !== undefined;
}

/** Invites an email; one that is invited already gets the new expiry. */
export async function putInvitation(
  db: Directory,
  invitation: Pick<Invitation, "email" | "createdAt" | "expiresAt">,
): Promise<void> {
  const { createdAt, expiresAt } = invitation;
  const set = { createdAt, expiresAt, accountId: sql`null`, usedAt: sql`null` };
  await db.idempotent(() =>
    db.insert(invitations).values(invitation).onConflictDoUpdate({ target: invitations.email, set }).run(),
  );
}

/** @returns false where there is none */
export async function deleteInvitation(db: Directory, email: string): Promise<boolean> {
  const deleted = await db.idempotent(() =>
    db.delete(invitations).where(eq(invitations.email, email)).returning({ email: invitations.email }).all(),
  );
  return deleted.length > 0;
}

/** Invitations behind this email, in the order of their emails. */
export async function listInvitations(db: Directory, afterEmail: string, limit: number): Promise<Invitation[]> {
  const { email } = invitations;
  return db.select().from(invitations).where(gt(email, afterEmail)).orderBy(email).limit(limit).all();
}
