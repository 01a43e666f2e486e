import { and, asc, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import {
  type Folder,
  type FolderWithCount,
  folders,
  folderTags,
  leavingFolders,
  uploadCounts,
  uploads,
} from "../schema.ts";

/** How deep folders nest. Every walk through the tree ends here, even if the tree were damaged. */
export const MAX_DEPTH = 20;

export async function folderExists(db: Db, accountId: string, folderId: string): Promise<boolean> {
  const row = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.id, folderId)))
    .get();
  return row !== undefined;
}

/** Every folder of the account with the number of active uploads directly in it, by name. */
export async function listFolders(db: Db, accountId: string): Promise<FolderWithCount[]> {
  return selectFolders(db, eq(folders.accountId, accountId));
}

export async function findFolder(db: Db, accountId: string, folderId: string): Promise<FolderWithCount | undefined> {
  return (await selectFolders(db, and(eq(folders.accountId, accountId), eq(folders.id, folderId))))[0];
}

async function selectFolders(db: Db, condition: SQL | undefined): Promise<FolderWithCount[]> {
  const itemCount = db
    .select({ count: uploadCounts.count })
    .from(uploadCounts)
    .where(
      and(
        eq(uploadCounts.accountId, folders.accountId),
        eq(uploadCounts.folderId, folders.id),
        eq(uploadCounts.facet, "all"),
        eq(uploadCounts.status, "active"),
      ),
    );
  const rows = await db
    .select({ folder: folders, itemCount: sql<number>`ifnull((${itemCount}), 0)` })
    .from(folders)
    .where(condition)
    .orderBy(asc(folders.name), asc(folders.id));
  return rows.map((row) => ({ ...row.folder, itemCount: row.itemCount }));
}

export async function countFolders(db: Db, accountId: string): Promise<number> {
  const row = await db.select({ count: count() }).from(folders).where(eq(folders.accountId, accountId)).get();
  return row?.count ?? 0;
}

/**
 * Inserts a folder if its parent is there and not at the greatest depth, all in one statement.
 * @returns false where the parent is not, or is too deep
 * @throws what D1 throws for a name that a sibling has
 */
export async function insertFolder(db: Db, folder: Folder): Promise<boolean> {
  const { meta } = await db.run(sql`
    INSERT INTO ${folders} (id, account_id, parent_id, name, icon, created_at, updated_at)
    SELECT ${folder.id}, ${folder.accountId}, ${folder.parentId}, ${folder.name}, ${folder.icon}, ${folder.createdAt}, ${folder.updatedAt}
    WHERE ${folder.parentId} IS NULL OR ${depthOf(folder.accountId, folder.parentId)} BETWEEN 1 AND ${MAX_DEPTH - 1}`);
  return meta.changes > 0;
}

/**
 * Changes a folder. A new parent must exist, must not be the folder or below it, and must leave the deepest descendant
 * above the limit: checked in the statement that writes, so that two moves at once cannot make a ring.
 * @returns false where the folder or such a parent is not there
 * @throws what D1 throws for a name that a sibling has
 */
export async function updateFolder(
  db: Db,
  accountId: string,
  folderId: string,
  change: Partial<Pick<Folder, "name" | "icon" | "parentId">> & { readonly updatedAt: number },
): Promise<boolean> {
  const own = and(eq(folders.accountId, accountId), eq(folders.id, folderId));
  const { parentId } = change;
  const movable =
    parentId === undefined || parentId === null
      ? undefined
      : sql`${depthOf(accountId, parentId)} > 0
        AND ${folderId} NOT IN ${ancestors(accountId, parentId)}
        AND ${depthOf(accountId, parentId)} + ${heightOf(accountId, folderId)} <= ${MAX_DEPTH}`;
  const { meta } = await db.update(folders).set(change).where(and(own, movable));
  return meta.changes > 0;
}

/**
 * Deletes a folder and everything below it; the uploads in them, trashed ones too, move to Root. One transaction, whose
 * statements each do one table whole: row by row, as the triggers do it, a large folder would take too long.
 * @returns how many folders and uploads that were
 */
export async function deleteFolderTree(
  db: Db,
  accountId: string,
  folderId: string,
): Promise<{ deletedFolders: number; movedUploads: number }> {
  const leaving = sql`(SELECT folder_id FROM ${leavingFolders})`;
  const leavingCounts = and(eq(uploadCounts.accountId, accountId), inArray(uploadCounts.folderId, leaving));
  const leavingTags = and(eq(folderTags.accountId, accountId), inArray(folderTags.folderId, leaving));
  const [, moved, , , , , , deleted] = await db.batch([
    db.insert(leavingFolders).select(sql`
      WITH RECURSIVE tree (id, depth) AS (
        SELECT id, 1 FROM ${folders} WHERE account_id = ${accountId} AND id = ${folderId}
        UNION SELECT child.id, tree.depth + 1 FROM ${folders} AS child JOIN tree ON child.parent_id = tree.id
        WHERE tree.depth < ${MAX_DEPTH + 1}
      ) SELECT DISTINCT id FROM tree`),
    db
      .select({ count: sql<number>`ifnull(sum(${uploadCounts.count}), 0)` })
      .from(uploadCounts)
      .where(and(leavingCounts, eq(uploadCounts.facet, "all"))),
    db
      .insert(uploadCounts)
      .select(sql`
        SELECT account_id, '', facet, status, value, sum(count), sum(bytes) FROM ${uploadCounts}
        WHERE ${leavingCounts} GROUP BY account_id, facet, status, value`)
      .onConflictDoUpdate({
        target: [
          uploadCounts.accountId,
          uploadCounts.folderId,
          uploadCounts.facet,
          uploadCounts.status,
          uploadCounts.value,
        ],
        set: { count: sql`${uploadCounts.count} + excluded.count`, bytes: sql`${uploadCounts.bytes} + excluded.bytes` },
      }),
    db.delete(uploadCounts).where(leavingCounts),
    // In their order they go into the tree four times as fast as by an UPDATE.
    db.insert(folderTags).select(sql`
      SELECT account_id, '', status, tag, number FROM ${folderTags} WHERE ${leavingTags}
      ORDER BY status, tag, number`),
    db.delete(folderTags).where(leavingTags),
    db
      .update(uploads)
      .set({ folderId: null })
      .where(and(eq(uploads.accountId, accountId), inArray(uploads.folderId, leaving))),
    db.delete(folders).where(and(eq(folders.accountId, accountId), inArray(folders.id, leaving))),
    db.delete(leavingFolders),
  ]);
  return { deletedFolders: deleted.meta.changes, movedUploads: moved[0]?.count ?? 0 };
}

/** A folder and those above it, from the inside out. */
function ancestors(accountId: string, folderId: string | null): SQL {
  return sql`(${ancestorWalk(accountId, folderId)} SELECT id FROM up)`;
}

/** 1 for a folder in Root, 0 where there is no such folder. */
function depthOf(accountId: string, folderId: string | null): SQL {
  return sql`(${ancestorWalk(accountId, folderId)} SELECT count(*) FROM up)`;
}

function ancestorWalk(accountId: string, folderId: string | null): SQL {
  return sql`
    WITH RECURSIVE up (id, parent_id, steps) AS (
      SELECT id, parent_id, 1 FROM ${folders} WHERE account_id = ${accountId} AND id = ${folderId}
      UNION SELECT above.id, above.parent_id, up.steps + 1 FROM ${folders} AS above JOIN up ON above.id = up.parent_id
      WHERE up.steps <= ${MAX_DEPTH}
    )`;
}

/** Levels of a folder and what is below it: 1 without subfolders. */
function heightOf(accountId: string, folderId: string): SQL {
  return sql`(
    WITH RECURSIVE down (id, level) AS (
      SELECT id, 1 FROM ${folders} WHERE account_id = ${accountId} AND id = ${folderId}
      UNION SELECT child.id, down.level + 1 FROM ${folders} AS child JOIN down ON child.parent_id = down.id
      WHERE down.level <= ${MAX_DEPTH}
    ) SELECT max(level) FROM down)`;
}
