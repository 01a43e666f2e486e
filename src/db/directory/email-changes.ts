import { and, eq, gt, sql } from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { type EmailChange, emailChanges } from "./schema.ts";

/** Stores a requested change instead of an earlier one, whose links are no longer valid. */
export async function putEmailChange(db: Directory, change: EmailChange): Promise<void> {
  const { accountId: _, ...values } = change;
  await db.idempotent(() =>
    db.insert(emailChanges).values(change).onConflictDoUpdate({ target: emailChanges.accountId, set: values }).run(),
  );
}

/** The account's change with this id; undefined if it was replaced, was carried out, or has expired. */
export async function findEmailChange(
  db: Directory,
  accountId: string,
  changeId: string,
  now: number,
): Promise<EmailChange | undefined> {
  return db
    .select()
    .from(emailChanges)
    .where(isChange(accountId, changeId, now))
    .get();
}

/** Records that one of the two addresses has confirmed the change. @returns the change after it */
export async function confirmEmailChange(
  db: Directory,
  { accountId, changeId, side, now }: { accountId: string; changeId: string; side: "from" | "to"; now: number },
): Promise<EmailChange | undefined> {
  const { fromConfirmedAt, toConfirmedAt } = emailChanges;
  const set =
    side === "from"
      ? { fromConfirmedAt: sql`coalesce(${fromConfirmedAt}, ${now})` }
      : { toConfirmedAt: sql`coalesce(${toConfirmedAt}, ${now})` };
  return db.idempotent(() =>
    db
      .update(emailChanges)
      .set(set)
      .where(isChange(accountId, changeId, now))
      .returning()
      .get(),
  );
}

function isChange(accountId: string, changeId: string, now: number) {
  return and(eq(emailChanges.accountId, accountId), eq(emailChanges.id, changeId), gt(emailChanges.expiresAt, now));
}
