import type { FileFactsPatch } from "../../file/file-facts.ts";
import type { Item, Patch } from "./patch.ts";

/** Files that the same patch restores. */
export interface UndoGroup {
  readonly ids: readonly string[];
  readonly patch: Patch;
}

/**
 * Groups files by the values that undo a change. Files that the change leaves as they were are in no group.
 * @param items as they were before the change
 */
export function toUndo(items: readonly Item[], patch: Patch): UndoGroup[] {
  const groups = new Map<string, { ids: string[]; patch: Patch }>();
  for (const item of items) {
    const back = reverse(item, patch);
    if (back === undefined) continue;
    const key = JSON.stringify(back);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ids: [item._id], patch: back });
    else group.ids.push(item._id);
  }
  return [...groups.values()];
}

/** @returns undefined if nothing changed */
function reverse(item: Item, patch: Patch): Patch | undefined {
  const { favorite, folderId, addTags = [], removeTags = [], status, visibility, facts } = patch;
  const added = addTags.filter((tag) => !item.tags.includes(tag));
  const taken = removeTags.filter((tag) => item.tags.includes(tag) && !addTags.includes(tag));
  const back: Patch = {
    ...(favorite !== undefined && favorite !== item.favorite && { favorite: item.favorite }),
    ...(folderId !== undefined && folderId !== item.folderId && { folderId: item.folderId }),
    ...(added.length > 0 && { removeTags: added }),
    ...(taken.length > 0 && { addTags: taken }),
    ...(visibility !== undefined && visibility !== item.visibility && { visibility: item.visibility }),
    ...(status !== undefined && status !== item.status && status !== "deleted" && { status: item.status }),
  };
  if (facts !== undefined) return { facts: factsBefore(item, facts) };
  return Object.keys(back).length === 0 ? undefined : back;
}

/** The facts that a change replaced. */
function factsBefore(item: Item, facts: FileFactsPatch): FileFactsPatch {
  const { prompt: originalFilename, alt, externalId, metadata, focalPoint, expiresAt } = item;
  const before = { originalFilename, alt, externalId, metadata, focalPoint, expiresAt };
  return Object.fromEntries(Object.keys(facts).map((name) => [name, before[name as keyof FileFactsPatch]]));
}
