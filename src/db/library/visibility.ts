import { and, inArray, ne } from "drizzle-orm";
import type { Visibility } from "../../domain/visibility.ts";
import type { DueChange } from "./change-uploads.ts";
import { treeOf } from "./folders.ts";
import type { Library } from "./library.ts";
import { ownIds } from "./own-ids.ts";
import { type Upload, uploads } from "./schema.ts";

/** Records who may open a file, after its objects were copied to the keys of that visibility. */
export async function setVisibility(
  db: Library,
  { accountId, id }: Pick<Upload, "accountId" | "id">,
  visibility: Visibility,
): Promise<void> {
  await db.idempotent(() =>
    db
      .update(uploads)
      .set({ visibility })
      .where(ownIds(accountId, [id]))
      .run(),
  );
}

/**
 * The uploads among these ids that have another visibility, in no order. Unknown ids are skipped.
 * @param within uploads outside this folder and its descendants are skipped
 */
export async function listOfOtherVisibility(
  db: Library,
  accountId: string,
  ids: readonly string[],
  { visibility, within }: { readonly visibility: Visibility } & Pick<DueChange, "within">,
): Promise<Pick<Upload, "id" | "objectKey" | "sizeBytes">[]> {
  const { id, objectKey, sizeBytes, folderId } = uploads;
  const isWithin = within === undefined ? undefined : inArray(folderId, treeOf(accountId, within));
  return db
    .select({ id, objectKey, sizeBytes })
    .from(uploads)
    .where(and(ownIds(accountId, ids), ne(uploads.visibility, visibility), isWithin))
    .all();
}
