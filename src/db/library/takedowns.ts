import { and, eq } from "drizzle-orm";
import type { Takedown } from "../../domain/takedown.ts";
import type { Library } from "./library.ts";
import { movedUploads, type Upload, uploads } from "./schema.ts";

/** Records a takedown in the row of its upload; null removes it. A taken-down video has no thumbnail. */
export async function setTakedown(
  db: Library,
  { accountId, id }: Pick<Upload, "accountId" | "id">,
  takedown: Takedown | null,
): Promise<void> {
  const change = takedown === null ? { takedown } : { takedown, thumbnailSizeBytes: null };
  const own = and(eq(uploads.accountId, accountId), eq(uploads.id, id));
  await db.idempotent(() => db.update(uploads).set(change).where(own).run());
}

/** The account of an upload that was made in this shard, for the operator; undefined if there is no such upload. */
export async function findOwner(db: Library, uploadId: string): Promise<string | undefined> {
  const here = db.select({ accountId: uploads.accountId }).from(uploads).where(eq(uploads.id, uploadId));
  const moved = db
    .select({ accountId: movedUploads.accountId })
    .from(movedUploads)
    .where(eq(movedUploads.id, uploadId));
  return (await here.unionAll(moved).get())?.accountId;
}
