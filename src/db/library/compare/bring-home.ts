import { and, eq, sql } from "drizzle-orm";
import { UPLOAD_STATUSES } from "../../../domain/upload-status.ts";
import { copyFolders, copyUploads, deleteSomeLeft, keepMoved } from "../copy-library.ts";
import type { Library } from "../library.ts";
import { type MoveStep, requireNewestStep, setLibraryState } from "../library-state.ts";
import { uploads } from "../schema.ts";

/** Uploads copied in one transaction. */
const PAGE_UPLOADS = 200;

/** Whether an account has uploads in this shard. */
export async function hasUploads(db: Library, accountId: string): Promise<boolean> {
  const row = await db.select({ id: uploads.id }).from(uploads).where(eq(uploads.accountId, accountId)).limit(1).get();
  return row !== undefined;
}

/**
 * Copies a part of a library from a wrong shard to its own shard, and deletes the copied rows. Existing rows in its own shard do not
 * change.
 * @returns whether nothing is left to do
 * @throws ConstraintError if folders of both have the same name; then nothing is deleted
 */
export async function bringHomeSome(
  from: Library,
  home: Library,
  { shard, ...step }: MoveStep & { readonly shard: string },
): Promise<boolean> {
  const { accountId } = step;
  // This blocks writes to the wrong shard and allows deletes.
  await setLibraryState(from, step, "left");
  await copyFolders(from, home, step);
  for (const status of UPLOAD_STATUSES) {
    const last = await copyUploads(from, home, { ...step, status }, { after: "-1", limit: PAGE_UPLOADS });
    if (last === undefined) continue;
    const copied = and(
      eq(uploads.accountId, accountId),
      eq(uploads.status, status),
      sql`${uploads.number} <= CAST(${last} AS INTEGER)`,
    );
    await from.idempotent(() =>
      from.batch([requireNewestStep(from, step), keepMoved(from, shard, copied), from.delete(uploads).where(copied)]),
    );
    return false;
  }
  return deleteSomeLeft(from, { ...step, shard }, PAGE_UPLOADS);
}
