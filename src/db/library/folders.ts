import { and, asc, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import { LibraryMovedError } from "../library-moved-error.ts";
import type { Library } from "./library.ts";
import { type Folder, type FolderWithCount, folders, libraries, uploadCounts, uploads } from "./schema.ts";

/** How deep folders nest. Every walk through the tree ends here, even if the tree were damaged. */
export const MAX_DEPTH = 20;

export async function folderExists(db: Library, accountId: string, folderId: string): Promise<boolean> {
  const row = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.id, folderId)))
    .get();
  return row !== undefined;
}

/** Every folder of the account with the number of active uploads directly in it, by name. */
export async function listFolders(db: Library, accountId: string): Promise<FolderWithCount[]> {
  return selectFolders(db, eq(folders.accountId, accountId));
}

export async function findFolder(
  db: Library,
  accountId: string,
  folderId: string,
): Promise<FolderWithCount | undefined> {
  return (await selectFolders(db, and(eq(folders.accountId, accountId), eq(folders.id, folderId))))[0];
}

async function selectFolders(db: Library, condition: SQL | undefined): Promise<FolderWithCount[]> {
  const itemCount = db
    .select({ count: sql`sum(${uploadCounts.count})` })
    .from(uploadCounts)
    .where(
      and(
        eq(uploadCounts.accountId, folders.accountId),
        eq(uploadCounts.folderId, folders.id),
        eq(uploadCounts.facet, "type"),
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

export async function countFolders(db: Library, accountId: string): Promise<number> {
  const row = await db.select({ count: count() }).from(folders).where(eq(folders.accountId, accountId)).get();
  return row?.count ?? 0;
}

/**
 * Inserts a folder if its parent is there and not at the greatest depth, all in one statement.
 * @returns false where the parent is not, or is too deep
 * @throws ConstraintError `unique` for a name that a sibling has
 */
export async function insertFolder(db: Library, folder: Folder): Promise<boolean> {
  const { id, accountId, parentId, name, icon, createdAt, updatedAt } = folder;
  const isThere = eq(folders.id, id);
  const row = sql`
    SELECT ${id} AS id, ${accountId} AS account_id, ${parentId} AS parent_id, ${name} AS name, ${icon} AS icon,
      ${createdAt} AS created_at, ${updatedAt} AS updated_at
    WHERE NOT EXISTS (SELECT 1 FROM ${folders} WHERE ${isThere})
      AND (${parentId} IS NULL OR ${depthOf(accountId, parentId)} BETWEEN 1 AND ${MAX_DEPTH - 1})`;
  const [, inserted] = await db.idempotent(() =>
    db.batch([db.insert(folders).select(row), db.select({ id: folders.id }).from(folders).where(isThere)]),
  );
  return inserted.length > 0;
}

/**
 * Changes a folder. A new parent must exist, must not be the folder or below it, and must leave the deepest descendant
 * above the limit: checked in the statement that writes, so that two moves at once cannot make a ring.
 * @returns false where the folder or such a parent is not there
 * @throws ConstraintError `unique` for a name that a sibling has
 */
export async function updateFolder(
  db: Library,
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
  const { meta } = await db.idempotent(() => db.update(folders).set(change).where(and(own, movable)).run());
  return meta.changes > 0;
}

/** How many folders a folder and those below it are, and how many uploads are in them, trashed ones too. */
export async function countTree(
  db: Library,
  accountId: string,
  folderId: string,
): Promise<{ folders: number; uploads: number }> {
  const tree = treeOf(accountId, folderId);
  const inTree = and(
    eq(uploadCounts.accountId, accountId),
    eq(uploadCounts.facet, "type"),
    inArray(uploadCounts.folderId, tree),
  );
  const row = await db
    .select({
      folders: sql<number>`(SELECT count(*) FROM ${tree})`,
      uploads: sql<number>`ifnull(sum(${uploadCounts.count}), 0)`,
    })
    .from(uploadCounts)
    .where(inTree)
    .get();
  return { folders: row?.folders ?? 0, uploads: row?.uploads ?? 0 };
}

/**
 * One step of deleting a folder and those below it: moves some of their uploads to Root, trashed ones too, and deletes the
 * folders once they hold none. A transaction, and short: others have the database between the steps.
 * @param limit how many uploads it moves at most
 * @returns whether the folder is gone
 * @throws LibraryMovedError where the library has left this shard
 */
export async function deleteTreeStep(
  db: Library,
  accountId: string,
  folderId: string,
  limit: number,
): Promise<boolean> {
  const tree = treeOf(accountId, folderId);
  const folder = sql`${folders} WHERE account_id = ${accountId} AND id = ${folderId}`;
  const contained = sql`SELECT number FROM ${uploads} WHERE folder_id IN ${tree} AND account_id = ${accountId}`;
  const [, , [library]] = await db.idempotent(() =>
    db.batch([
      db.update(uploads).set({ folderId: null }).where(sql`number IN (${contained} LIMIT ${limit})`),
      db.delete(folders).where(and(inArray(folders.id, tree), sql`NOT EXISTS (${contained})`)),
      db
        .select({ state: libraries.state, folders: sql<number>`(SELECT count(*) FROM ${folder})` })
        .from(libraries)
        .where(eq(libraries.id, accountId)),
    ]),
  );
  // A shard that the library has left still takes deletions: the folder is in another one by now.
  if (library?.state === "left") throw new LibraryMovedError(true);
  return library === undefined || library.folders === 0;
}

/** A folder and those below it. */
function treeOf(accountId: string, folderId: string): SQL {
  return sql`(
    WITH RECURSIVE tree (id, depth) AS (
      SELECT id, 1 FROM ${folders} WHERE account_id = ${accountId} AND id = ${folderId}
      UNION SELECT child.id, tree.depth + 1 FROM ${folders} AS child JOIN tree ON child.parent_id = tree.id
      WHERE tree.depth < ${MAX_DEPTH + 1}
    ) SELECT DISTINCT id FROM tree)`;
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
