import type { Client, Folder } from "../../client/index.ts";
import { isId } from "../../domain/ids.ts";
import { UsageError } from "../command-line/failures.ts";

export const ROOT = "root";

/** Folders by their paths from Root (`Holidays/2024`), in alphabetical order. */
export function folderPaths(folders: readonly Folder[]): (readonly [path: string, folder: Folder])[] {
  const byId = new Map(folders.map((folder) => [folder._id, folder]));
  const paths = new Map<string, string>();
  const pathOf = (folder: Folder): string => {
    const known = paths.get(folder._id);
    if (known !== undefined) return known;
    const parent = folder.parentId === null ? undefined : byId.get(folder.parentId);
    const path = parent === undefined ? folder.name : `${pathOf(parent)}/${folder.name}`;
    paths.set(folder._id, path);
    return path;
  };
  return folders.map((folder) => [pathOf(folder), folder] as const).sort(([a], [b]) => a.localeCompare(b));
}

/**
 * Finds a folder by its id or by its path from Root. An id is not checked, because upload keys cannot list folders.
 * @returns the folder's id; null is Root
 * @throws UsageError if there is no such folder, or several; MediaHostError
 */
export async function findFolderId(host: Client, text: string, signal: AbortSignal): Promise<string | null> {
  if (text === ROOT || text === "/") return null;
  if (isId(text)) return text;
  const wanted = text.normalize("NFC").replace(/^\/|\/$/g, "");
  const found = folderPaths(await host.folders.list({ signal })).filter(([path]) => path === wanted);
  const [first, second] = found;
  if (first === undefined) throw new UsageError(`there is no folder "${text}" (the command folders lists them)`);
  if (second === undefined) return first[1]._id;
  throw new UsageError(`several folders are "${text}": ${found.map(([, { _id }]) => _id).join(", ")}`);
}
