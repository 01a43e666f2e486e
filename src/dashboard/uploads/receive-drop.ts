import type { DropEntry, Dropped } from "./read-drop.ts";

/**
 * Reads what was dropped. To be called in the event itself: what it bears is gone afterwards.
 * @returns what it holds; folders are in it where the browser tells them from files
 */
export async function receiveDrop({ items, files }: DataTransfer): Promise<Dropped> {
  const entries = Array.from(items, (item) => (item.kind === "file" ? item.webkitGetAsEntry?.() : undefined));
  const known = entries.filter((entry) => entry != null) as DropEntry[];
  const plain = Array.from(files, (file) => ({ file, path: [] }));
  // All that is to be had in the event is had.
  if (known.length > 0) return (await import("./read-drop.ts")).readDrop(known);
  return { files: plain, folders: [], unreadable: 0 };
}
