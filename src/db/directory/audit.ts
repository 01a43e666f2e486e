import { and, desc, eq, isNull, lt } from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { type AuditEntry, auditLog } from "./schema.ts";

/** Appends an entry. A repeated call appends nothing. */
export async function appendAudit(db: Directory, entry: AuditEntry): Promise<void> {
  await db.idempotent(() => db.insert(auditLog).values(entry).onConflictDoNothing().run());
}

/** Adds the answer's status to an entry. */
export async function endAudit(db: Directory, id: string, status: number): Promise<void> {
  await db.idempotent(() =>
    db
      .update(auditLog)
      .set({ status })
      .where(and(eq(auditLog.id, id), isNull(auditLog.status)))
      .run(),
  );
}

/** Entries before this one, newest first. @param subject limits them to one subject */
export async function listAudit(
  db: Directory,
  { before, subject, limit }: { readonly before?: string; readonly subject?: string; readonly limit: number },
): Promise<AuditEntry[]> {
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        before === undefined ? undefined : lt(auditLog.id, before),
        subject === undefined ? undefined : eq(auditLog.subject, subject),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit)
    .all();
}
