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

interface AuditSlice {
  /** Only entries before this one. */
  readonly before: string | undefined;
  /** Only entries of this subject. */
  readonly subject: string | undefined;
  readonly limit: number;
}

/** Entries, newest first. */
export async function listAudit(db: Directory, { before, subject, limit }: AuditSlice): Promise<AuditEntry[]> {
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
