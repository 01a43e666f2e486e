import { type DropEntry, type Dropped, readDrop } from "./read-drop.ts";

/**
 * Reads what was dropped. To be called in the event itself: what it bears is gone afterwards.
 * @returns what it holds; folders are in it where the browser tells them from files
 */
export function receiveDrop({ items, files }: DataTransfer): Promise<Dropped> {
  const entries = Array.from(items, (item) => (item.kind === "file" ? item.webkitGetAsEntry?.() : undefined));
  const known = entries.filter((entry) => entry != null) as DropEntry[];
  if (known.length > 0) return readDrop(known);
  const plain = Array.from(files, (file) => ({ file, path: [] }));
  return Promise.resolve({ files: plain, folders: [], unreadable: 0 });
}
