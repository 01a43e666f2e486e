/** The part of `FileSystemEntry` used here. */
export interface DropEntry {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly name: string;
  file?(done: (file: File) => void, failed: (error: Error) => void): void;
  createReader?(): { readEntries(done: (entries: DropEntry[]) => void, failed: (error: Error) => void): void };
}

export interface DroppedFile {
  readonly file: File;
  /** The names of the folders above it, from the outermost one. */
  readonly path: readonly string[];
}

export interface Dropped {
  readonly files: readonly DroppedFile[];
  /** The paths of all folders that contain files, parents first. */
  readonly folders: readonly (readonly string[])[];
  readonly unreadable: number;
}

/** Files that operating systems put into folders. */
const SYSTEM_FILES = /^(\..*|Thumbs\.db|desktop\.ini|Icon\r)$/i;
/** The deepest folder (FOLD-1). */
const MOST_DEPTH = 20;

/** Reads dropped files and folders with their contents. Disks list a folder in any order, so entries are sorted: "img2" before "img10". */
export async function readDrop(entries: readonly DropEntry[]): Promise<Dropped> {
  const files: DroppedFile[] = [];
  let unreadable = 0;
  const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const inOrder = (some: readonly DropEntry[]) => some.toSorted((one, other) => compare(one.name, other.name));
  const open: { entry: DropEntry; path: readonly string[] }[] = inOrder(entries).map((entry) => ({ entry, path: [] }));
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { entry, path } = next;
    // A dropped file is uploaded even with such a name.
    if (path.length > 0 && SYSTEM_FILES.test(entry.name)) continue;
    try {
      if (entry.isFile) files.push({ file: await readFile(entry), path });
      else if (path.length < MOST_DEPTH) {
        const inside = [...path, entry.name];
        for (const child of inOrder(await readFolder(entry))) open.push({ entry: child, path: inside });
      } else unreadable += 1;
    } catch {
      unreadable += 1;
    }
  }
  return { files, folders: foldersOf(files), unreadable };
}

/** The folders that the files need, parents first. */
function foldersOf(files: readonly DroppedFile[]): string[][] {
  const found = new Map<string, string[]>();
  for (const { path } of files) {
    for (let depth = 1; depth <= path.length; depth += 1) {
      const folder = path.slice(0, depth);
      found.set(keyOf(folder), folder);
    }
  }
  return [...found.values()].sort((one, other) => one.length - other.length);
}

/** A path's unique key. */
export function keyOf(path: readonly string[]): string {
  return path.join("\0");
}

function readFile(entry: DropEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    if (entry.file === undefined) reject(new Error("No file"));
    else entry.file(resolve, reject);
  });
}

/** A reader returns at most a hundred entries at a time, and an empty list at the end. */
async function readFolder(entry: DropEntry): Promise<DropEntry[]> {
  const reader = entry.createReader?.();
  const all: DropEntry[] = [];
  while (reader !== undefined) {
    const some = await new Promise<DropEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  return all;
}
