import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { type Report, reports } from "./schema.ts";

/** Stores a report. A repeated call stores nothing. */
export async function insertReport(db: Directory, report: Report): Promise<void> {
  await db.idempotent(() => db.insert(reports).values(report).onConflictDoNothing().run());
}

export async function findReport(db: Directory, id: string): Promise<Report | undefined> {
  return db.select().from(reports).where(eq(reports.id, id)).get();
}

/** Whether there is a report with this id. */
export async function reportExists(db: Directory, id: string): Promise<boolean> {
  return (await db.select({ id: reports.id }).from(reports).where(eq(reports.id, id)).get()) !== undefined;
}

/** Open reports after this one, oldest first; all reports if `isOpen` is false. */
export async function listReports(
  db: Directory,
  { after, isOpen, limit }: { readonly after: string; readonly isOpen: boolean; readonly limit: number },
): Promise<Report[]> {
  return db
    .select()
    .from(reports)
    .where(and(gt(reports.id, after), isOpen ? isNull(reports.decision) : undefined))
    .orderBy(asc(reports.id))
    .limit(limit)
    .all();
}

/** Records a decision; a later one replaces it. @returns undefined if there is no such report */
export async function decideReport(
  db: Directory,
  id: string,
  decision: Pick<Report, "decision" | "note" | "decidedAt">,
): Promise<Report | undefined> {
  return db.idempotent(() => db.update(reports).set(decision).where(eq(reports.id, id)).returning().get());
}
