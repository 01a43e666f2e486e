import type { Folder } from "../../client/index.ts";

/** A folder is at most so deep. */
const MOST_DEPTH = 20;

/** The names of a folder and of those above it, from the outermost one. */
export function folderPath(id: string | null, folders: readonly Pick<Folder, "_id" | "name" | "parentId">[]): string[] {
  const names: string[] = [];
  let folder = folders.find(({ _id }) => _id === id);
  while (folder !== undefined && names.length < MOST_DEPTH) {
    names.unshift(folder.name);
    const { parentId } = folder;
    folder = folders.find(({ _id }) => _id === parentId);
  }
  if (names.length > 0) return names;
  return [id === null ? "Root" : "A folder"];
}
