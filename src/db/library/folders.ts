import { and, asc, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { ChangedBy } from "../../domain/file-history.ts";
import { LibraryMovedError } from "../library-moved-error.ts";
import { withEntries } from "./file-history.ts";
import type { Library } from "./library.ts";
import { type Folder, type FolderWithCount, folders, libraries, uploadCounts, uploads } from "./schema.ts";

/** The greatest depth of folders. Every walk of the tree stops here, even in a damaged tree. */
export const MAX_DEPTH = 20;

export async function folderExists(db: Library, accountId: string, folderId: string): Promise<boolean> {
  const row = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.id, folderId)))
    .get();
  return row !== undefined;
}

/** Whether a folder exists and is `root` or a descendant of it. */
export async function isInTree(db: Library, accountId: string, root: string, folderId: string): Promise<boolean> {
  const isBelow = sql`${root} IN ${ancestors(accountId, folderId)}`;
  const row = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.id, folderId), isBelow))
    .get();
  return row !== undefined;
}

/** A part of the account's folders in the order of their names. */
export interface FolderSlice {
  /** Only this folder and its descendants. */
  readonly root?: string | undefined;
  /** Only folders after this name and id. */
  readonly after?: readonly [name: string, id: string] | undefined;
  readonly limit: number;
}

/** The account's folders with their numbers of active uploads (without subfolders), by name, along an index. */
export async function listFolders(
  db: Library,
  accountId: string,
  { root, after, limit }: FolderSlice,
): Promise<FolderWithCount[]> {
  const isWanted = root === undefined ? undefined : inArray(folders.id, treeOf(accountId, root));
  const isAfter = after && sql`(${folders.name}, ${folders.id}) > (${after[0]}, ${after[1]})`;
  return selectFolders(db, and(eq(folders.accountId, accountId), isWanted, isAfter), limit);
}

export async function findFolder(
  db: Library,
  accountId: string,
  folderId: string,
): Promise<FolderWithCount | undefined> {
  return (await selectFolders(db, and(eq(folders.accountId, accountId), eq(folders.id, folderId)), 1))[0];
}

async function selectFolders(db: Library, condition: SQL | undefined, limit: number): Promise<FolderWithCount[]> {
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
    .orderBy(asc(folders.name), asc(folders.id))
    .limit(limit);
  return rows.map((row) => ({ ...row.folder, itemCount: row.itemCount }));
}

export async function countFolders(db: Library, accountId: string): Promise<number> {
  const row = await db.select({ count: count() }).from(folders).where(eq(folders.accountId, accountId)).get();
  return row?.count ?? 0;
}

/**
 * Inserts a folder if its parent exists and is not at the greatest depth, in one statement.
 * @returns false if the parent does not exist or is too deep
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
 * Changes a folder. A new parent must exist, must not be the folder or a descendant, and must keep the deepest descendant within the limit.
 * The writing statement checks this, so that two concurrent moves cannot make a ring.
 * @returns false if the folder or such a parent does not exist
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

/** Counts a folder with its descendants, and their uploads, including trashed ones. */
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
 * One step of deleting a folder with its descendants: moves some of their uploads to Root, including trashed ones, and deletes the folders
 * once they are empty. A step is one short transaction, so other requests can use the database between steps.
 * @param limit the most uploads that it moves
 * @returns whether the folder is deleted
 * @throws LibraryMovedError if the library has left this shard
 */
export async function deleteTreeStep(
  db: Library,
  accountId: string,
  folderId: string,
  { by, at }: ChangedBy,
  limit: number,
): Promise<boolean> {
  const tree = treeOf(accountId, folderId);
  const folder = sql`${folders} WHERE account_id = ${accountId} AND id = ${folderId}`;
  const contained = sql`SELECT number FROM ${uploads} WHERE folder_id IN ${tree} AND account_id = ${accountId}`;
  const [, , [library]] = await db.idempotent(() =>
    db.batch([
      db
        .update(uploads)
        .set({ folderId: null, history: withEntries([{ change: ["moved", at, by, null] }]) })
        .where(sql`number IN (${contained} LIMIT ${limit})`),
      db.delete(folders).where(and(inArray(folders.id, tree), sql`NOT EXISTS (${contained})`)),
      db
        .select({ state: libraries.state, folders: sql<number>`(SELECT count(*) FROM ${folder})` })
        .from(libraries)
        .where(eq(libraries.id, accountId)),
    ]),
  );
  // A shard that the library has left still accepts deletions, but the folder is in another shard by now.
  if (library?.state === "left") throw new LibraryMovedError(true);
  return library === undefined || library.folders === 0;
}

/** A folder and its descendants. */
export function treeOf(accountId: string, folderId: string): SQL {
  return sql`(
    WITH RECURSIVE tree (id, depth) AS (
      SELECT id, 1 FROM ${folders} WHERE account_id = ${accountId} AND id = ${folderId}
      UNION SELECT child.id, tree.depth + 1 FROM ${folders} AS child JOIN tree ON child.parent_id = tree.id
      WHERE tree.depth < ${MAX_DEPTH + 1}
    ) SELECT DISTINCT id FROM tree)`;
}

/** A folder and its ancestors, innermost first. */
function ancestors(accountId: string, folderId: string | null): SQL {
  return sql`(${ancestorWalk(accountId, folderId)} SELECT id FROM up)`;
}

/** 1 for a folder in Root, 0 if the folder does not exist. */
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

/** Levels of a folder's tree: 1 without subfolders. */
function heightOf(accountId: string, folderId: string): SQL {
  return sql`(
    WITH RECURSIVE down (id, level) AS (
      SELECT id, 1 FROM ${folders} WHERE account_id = ${accountId} AND id = ${folderId}
      UNION SELECT child.id, down.level + 1 FROM ${folders} AS child JOIN down ON child.parent_id = down.id
      WHERE down.level <= ${MAX_DEPTH}
    ) SELECT max(level) FROM down)`;
}
