import { and, eq, gt, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { StoredPlaceholder } from "../../domain/placeholder.ts";
import type { Library } from "./library.ts";
import { type Upload, uploads } from "./schema.ts";

/** Records a placeholder, unless one was recorded before, or the bytes of which it was made were replaced. */
export async function recordPlaceholder(
  db: Library,
  { accountId, id, objectKey }: Pick<Upload, "accountId" | "id" | "objectKey">,
  placeholder: StoredPlaceholder,
): Promise<void> {
  const own = and(eq(uploads.accountId, accountId), eq(uploads.id, id), eq(uploads.objectKey, objectKey));
  const missing = and(own, isNull(uploads.placeholder));
  await db.idempotent(() => db.update(uploads).set({ placeholder }).where(missing).run());
}

/** An upload without a placeholder, with the fields of its queue message. */
export type UploadWithoutPlaceholder = Pick<Upload, "id" | "objectKey" | "mimeType">;

/**
 * Lists an account's images, and its videos that have a thumbnail, whose placeholder was not made yet, in the order of their ids.
 * Files that were taken down are left out.
 */
export async function listWithoutPlaceholder(
  db: Library,
  accountId: string,
  {
    afterId,
    videoTypes,
    limit,
  }: { readonly afterId: string; readonly videoTypes: readonly string[]; readonly limit: number },
): Promise<UploadWithoutPlaceholder[]> {
  const { id, objectKey, mimeType } = uploads;
  // The plus makes SQLite walk the account's uploads instead of all accounts' uploads by id.
  const unindexedId: SQL<string> = sql`+${id}`;
  return db
    .select({ id, objectKey, mimeType })
    .from(uploads)
    .where(
      and(
        eq(uploads.accountId, accountId),
        inArray(uploads.status, ["active", "trash"]),
        isNull(uploads.placeholder),
        isNull(uploads.takedown),
        or(notInArray(mimeType, [...videoTypes]), isNotNull(uploads.thumbnailSizeBytes)),
        gt(unindexedId, afterId),
      ),
    )
    .orderBy(unindexedId)
    .limit(limit)
    .all();
}
