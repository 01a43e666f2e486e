import { extname } from "node:path";
import type { Folder, MediaObject } from "../../client/index.ts";
import { marked, nameKey, safeName } from "./safe-name.ts";

/** The names in the target folder that are the program's own. */
export const MANIFEST = "manifest.jsonl";
export const STATE = ".media-host";

type Listed = Pick<MediaObject, "_id" | "folderId" | "originalFilename" | "filename">;

/**
 * Gives each file a path below the target folder: folders as directories, names that every file system takes. If two names of a folder would
 * be one file, also on a file system that ignores case, the older one keeps its name and the others get their ids, so that each run gives
 * the same paths.
 * @param top the folder that is pulled; null is Root
 * @param taken paths of files that must stay
 * @returns paths with slashes, by id; a file whose folder is unknown lies at the top
 */
export function planPaths(
  files: readonly Listed[],
  folders: readonly Pick<Folder, "_id" | "name" | "parentId">[],
  top: string | null,
  taken: Iterable<string> = [],
): Map<string, string> {
  const reserved = new Set([MANIFEST, STATE, ...taken].map(nameKey));
  const inside = new Map<string | null, { id: string; name: string; isFolder: boolean }[]>();
  const add = (parent: string | null, entry: { id: string; name: string; isFolder: boolean }) => {
    const entries = inside.get(parent);
    if (entries === undefined) inside.set(parent, [entry]);
    else entries.push(entry);
  };
  const known = new Set(folders.map(({ _id }) => _id));
  for (const { _id, name, parentId } of folders) {
    if (_id !== top) add(parentId !== null && known.has(parentId) ? parentId : top, { id: _id, name, isFolder: true });
  }
  for (const file of files) {
    const parent = file.folderId !== null && known.has(file.folderId) ? file.folderId : top;
    add(parent, { id: file._id, name: nameOf(file), isFolder: false });
  }
  const paths = new Map<string, string>();
  const walk = (folder: string | null, prefix: string) => {
    const keys = new Set<string>();
    const entries = (inside.get(folder) ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const { id, name, isFolder } of entries) {
      let chosen = safeName(name);
      const isFree = () => !keys.has(nameKey(chosen)) && !reserved.has(nameKey(prefix + chosen));
      while (!isFree()) chosen = marked(chosen, id);
      keys.add(nameKey(chosen));
      if (isFolder) walk(id, `${prefix}${chosen}/`);
      else paths.set(id, prefix + chosen);
    }
  };
  walk(top, "");
  return paths;
}

/** The name as uploaded, with the extension of the stored bytes: a static GIF may be stored as PNG. */
function nameOf({ originalFilename, filename }: Listed): string {
  const extension = extname(filename);
  const isSame = extname(originalFilename).toLowerCase() === extension.toLowerCase();
  return isSame ? originalFilename : originalFilename + extension;
}
