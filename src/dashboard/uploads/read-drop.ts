/** What we use of a `FileSystemEntry`. */
export interface DropEntry {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly name: string;
  file?(done: (file: File) => void, failed: (error: Error) => void): void;
  createReader?(): { readEntries(done: (entries: DropEntry[]) => void, failed: (error: Error) => void): void };
}

export interface DroppedFile {
  readonly file: File;
  /** The names of the folders that it is in, from the outermost one. */
  readonly path: readonly string[];
}

export interface Dropped {
  readonly files: readonly DroppedFile[];
  /** The path of each folder that holds files, those above before those within. */
  readonly folders: readonly (readonly string[])[];
  /** Files and folders that could not be read. */
  readonly unreadable: number;
}

/** What systems put into folders, and nobody wants to publish. */
const SYSTEM_FILES = /^(\..*|Thumbs\.db|desktop\.ini|Icon\r)$/i;
/** A folder of the library is at most so deep. */
const MOST_DEPTH = 20;

/** Reads what was dropped, with all that is in its folders. */
export async function readDrop(entries: readonly DropEntry[]): Promise<Dropped> {
  const files: DroppedFile[] = [];
  let unreadable = 0;
  const open: { entry: DropEntry; path: readonly string[] }[] = entries.map((entry) => ({ entry, path: [] }));
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { entry, path } = next;
    // What was dropped itself is wanted, whatever its name.
    if (path.length > 0 && SYSTEM_FILES.test(entry.name)) continue;
    try {
      if (entry.isFile) files.push({ file: await readFile(entry), path });
      else if (path.length < MOST_DEPTH) {
        const inside = [...path, entry.name];
        for (const child of await readFolder(entry)) open.push({ entry: child, path: inside });
      } else unreadable += 1;
    } catch {
      unreadable += 1;
    }
  }
  return { files, folders: foldersOf(files), unreadable };
}

/** The folders that files need, those above before those within. */
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

/** Tells paths apart. */
export function keyOf(path: readonly string[]): string {
  return path.join("\0");
}

function readFile(entry: DropEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    if (entry.file === undefined) reject(new Error("No file"));
    else entry.file(resolve, reject);
  });
}

/** A reader gives at most a hundred at a time, and none in the end. */
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
