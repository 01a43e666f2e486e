import type { Folder } from "../../client/index.ts";

/** The deepest folder (FOLD-1). */
const MOST_DEPTH = 20;

type Named = Pick<Folder, "_id" | "name" | "parentId">;

/** A function that names the folders from the outermost down to one; empty if the folder is not known. */
export function folderPaths(folders: readonly Named[]): (id: string | null) => readonly string[] {
  const byId = new Map(folders.map((folder) => [folder._id, folder]));
  return (id) => {
    const names: string[] = [];
    let folder = id === null ? undefined : byId.get(id);
    while (folder !== undefined && names.length < MOST_DEPTH) {
      names.unshift(folder.name);
      folder = folder.parentId === null ? undefined : byId.get(folder.parentId);
    }
    return names;
  };
}

/**
 * The choices of a field for a folder, by path.
 * @param none the first choice's title, whose value is empty
 */
export function folderOptions(folders: readonly Named[], none: string): { value: string; title: string }[] {
  const pathOf = folderPaths(folders);
  const options = folders.map(({ _id }) => ({ value: _id, title: pathOf(_id).join(" / ") }));
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [{ value: "", title: none }, ...options.sort((one, other) => compare(one.title, other.title))];
}
