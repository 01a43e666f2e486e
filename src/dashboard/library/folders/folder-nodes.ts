import type { Folder } from "../../../client/index.ts";
import { compareNames } from "./compare-names.ts";

/** The service's limit (FOLD-1). */
const MAX_DEPTH = 20;

export interface FolderNode {
  readonly folder: Folder;
  /** 1 for a folder in Root. */
  readonly depth: number;
  readonly children: readonly FolderNode[];
}

/**
 * Builds the folder trees, sorted by name. A folder whose parent is missing is in Root. A cycle, which the service prevents, is left out.
 */
export function toTree(folders: readonly Folder[]): FolderNode[] {
  const known = new Set(folders.map(({ _id }) => _id));
  const byParent = new Map<string | null, Folder[]>();
  for (const folder of folders) {
    const parent = folder.parentId !== null && known.has(folder.parentId) ? folder.parentId : null;
    byParent.set(parent, [...(byParent.get(parent) ?? []), folder]);
  }
  const build = (parent: string | null, depth: number): FolderNode[] =>
    (byParent.get(parent) ?? [])
      .sort((one, other) => compareNames(one.name, other.name))
      .map((folder) => ({ folder, depth, children: depth >= MAX_DEPTH ? [] : build(folder._id, depth + 1) }));
  return build(null, 1);
}

/** The rows shown: nodes whose ancestors are all open. */
export function visibleNodes(tree: readonly FolderNode[], isOpen: (id: string) => boolean): FolderNode[] {
  return tree.flatMap((node) => [node, ...(isOpen(node.folder._id) ? visibleNodes(node.children, isOpen) : [])]);
}

/** @returns every node of the trees, parents first */
export function allNodes(tree: readonly FolderNode[]): FolderNode[] {
  return visibleNodes(tree, () => true);
}

/** The path from Root down to a folder; empty if the folder is not known. */
export function pathTo(folders: readonly Folder[], id: string | null): Folder[] {
  const path: Folder[] = [];
  let at = folders.find(({ _id }) => _id === id);
  while (at !== undefined && path.length < MAX_DEPTH) {
    path.unshift(at);
    const { parentId } = at;
    at = folders.find(({ _id }) => _id === parentId);
  }
  return path;
}

/** Counts the folders that a deletion deletes and the files that it moves to Root. */
export function deletionOf(
  folders: readonly Folder[],
  id: string,
): { readonly folders: number; readonly files: number } {
  const gone = allNodes(toTree(folders)).filter(({ folder }) =>
    pathTo(folders, folder._id).some(({ _id }) => _id === id),
  );
  return { folders: gone.length, files: gone.reduce((sum, { folder }) => sum + folder.itemCount, 0) };
}

/** The reason why a folder cannot be moved into another (null is Root); undefined if it can. */
export function whyNotInto(folders: readonly Folder[], id: string, parentId: string | null): string | undefined {
  const path = pathTo(folders, parentId);
  const moved = folders.find(({ _id }) => _id === id);
  if (path.some(({ _id }) => _id === id)) return "A folder cannot be moved into itself";
  if (moved?.parentId === parentId) return "The folder is already there";
  const height = heightOf(allNodes(toTree(folders)).find(({ folder }) => folder._id === id));
  if (path.length + height > MAX_DEPTH) return `Folders can be at most ${MAX_DEPTH} deep`;
  const isTaken = folders.some(
    (folder) => folder._id !== id && folder.parentId === parentId && folder.name === moved?.name,
  );
  return isTaken ? "A folder with this name is already there" : undefined;
}

function heightOf(node: FolderNode | undefined): number {
  return node === undefined ? 1 : 1 + Math.max(0, ...node.children.map(heightOf));
}
