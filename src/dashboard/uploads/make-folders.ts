import type { Folder } from "../../client/index.ts";
import { keyOf } from "./read-drop.ts";

export interface Folders {
  list(): Promise<readonly Pick<Folder, "_id" | "name" | "parentId">[]>;
  create(folder: { name: string; parentId: string | null }): Promise<Pick<Folder, "_id" | "name" | "parentId">>;
}

const MOST_CHARACTERS = 100;

/**
 * Creates folders below a folder, and reuses existing ones.
 * @param paths parents first
 * @returns the folder ids by path
 * @throws MediaHostError
 */
export async function makeFolders(
  folders: Folders,
  paths: readonly (readonly string[])[],
  parentId: string | null,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const there = new Map((await folders.list()).map(({ _id, name, parentId: above }) => [siblingKey(above, name), _id]));
  for (const path of paths) {
    const above = path.length === 1 ? parentId : (ids.get(keyOf(path.slice(0, -1))) ?? parentId);
    const name = toFolderName(path.at(-1) ?? "");
    const id = there.get(siblingKey(above, name)) ?? (await folders.create({ name, parentId: above }))._id;
    there.set(siblingKey(above, name), id);
    ids.set(keyOf(path), id);
  }
  return ids;
}

/** Siblings whose names look the same are the same folder. */
function siblingKey(parentId: string | null, name: string): string {
  return JSON.stringify([parentId, name.normalize("NFC").toLowerCase()]);
}

/** Disks allow names that the service does not. */
function toFolderName(name: string): string {
  const clean = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, "")
    .trim();
  return Array.from(clean).slice(0, MOST_CHARACTERS).join("").trim() || "Folder";
}
