import type { Folder } from "../../../client/index.ts";
import { hasWords } from "../../design/has-words.ts";
import { type Filters, isNarrowed } from "../view/filters.ts";
import { compareNames } from "./compare-names.ts";
import { allNodes, type FolderNode, toTree } from "./folder-nodes.ts";

/**
 * The folders that a view of the library shows, by name: the subfolders of its folder or, in a search, the folders at any depth that
 * contain every word. A view with any other filter shows none.
 */
export function nodesOf(folders: readonly Folder[], filters: Filters): FolderNode[] {
  const { status, folder, q } = filters;
  if (status !== "active" || isNarrowed({ ...filters, q: "" })) return [];
  const tree = toTree(folders);
  const shown = allNodes(tree).find((node) => node.folder._id === folder);
  const inside = folder === "all" || folder === "root" ? tree : (shown?.children ?? []);
  if (q === "") return folder === "all" ? [] : [...inside];
  return allNodes(inside)
    .filter((node) => hasWords(node.folder.name, q))
    .sort((one, other) => compareNames(one.folder.name, other.folder.name));
}
