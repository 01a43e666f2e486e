import { type Dirent, lstatSync } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { basename, extname, sep } from "node:path";
import { expandGlob, hasWildcard } from "./glob.ts";
import { decodeName, type FilePath, type LocalFile, reasonOf, type Unusable } from "./local-file.ts";

/** The usual extensions of the supported types. Other files in a folder are skipped. */
const EXTENSIONS = new Set(
  ["jpg", "jpeg", "jpe", "jfif", "png", "apng", "webp", "gif", "mp4", "m4v", "webm", "mov", "qt", "avi"].map(
    (extension) => `.${extension}`,
  ),
);

export function hasMediaExtension(name: string): boolean {
  return EXTENSIONS.has(extname(name).toLowerCase());
}

export interface FindOptions {
  /** Reads subfolders, too. */
  readonly isRecursive: boolean;
  /** Includes names with a leading dot in folders. */
  readonly withHidden: boolean;
  /** Includes files with any extension in folders. */
  readonly withAll: boolean;
  /** Called with each skipped file of a folder. */
  readonly onSkip: (shownPath: string, reason: string) => void;
}

/**
 * Finds the files that arguments name: files, folders, and patterns that the shell did not expand. It reads a folder when its turn comes,
 * and holds the names of one folder at a time. It follows a named link and links to files, but no link from one folder to another, so that
 * it never walks in a circle.
 */
export async function* findFiles(args: readonly string[], options: FindOptions): AsyncGenerator<LocalFile | Unusable> {
  for (const arg of args) {
    // A file may have a bracket in its name.
    if (!hasWildcard(arg) || exists(arg)) {
      yield* findNamed(arg, options);
      continue;
    }
    let count = 0;
    for await (const path of expandGlob(arg)) {
      count += 1;
      yield* findNamed(path, options);
    }
    if (count === 0) yield { shownPath: arg, reason: "no file has such a name" };
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function* findNamed(path: string, options: FindOptions): AsyncGenerator<LocalFile | Unusable> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) yield* findInFolder(path, path, options);
    else yield { path, shownPath: path, name: basename(path), stats };
  } catch (error) {
    yield { shownPath: path, reason: await reasonOfNamed(path, error) };
  }
}

async function reasonOfNamed(path: string, error: unknown): Promise<string> {
  const isLink = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  return isLink && (error as NodeJS.ErrnoException).code === "ENOENT" ? "a link that leads nowhere" : reasonOf(error);
}

/** @param shownPath the folder's path as people see it */
async function* findInFolder(
  folder: FilePath,
  shownPath: string,
  options: FindOptions,
): AsyncGenerator<LocalFile | Unusable> {
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    return yield { shownPath, reason: reasonOf(error) };
  }
  entries.sort((a, b) => Buffer.compare(a.name, b.name));
  for (const entry of entries) {
    const { text: name, isExact } = decodeName(entry.name);
    const path = joinPath(folder, entry.name, isExact);
    const shown = shownPath.endsWith(sep) ? shownPath + name : shownPath + sep + name;
    if (name.startsWith(".") && !options.withHidden) continue;
    if (entry.isDirectory()) {
      if (options.isRecursive) yield* findInFolder(path, shown, options);
      else options.onSkip(shown, "a folder in a folder; --recursive takes it");
      continue;
    }
    if (!options.withAll && !hasMediaExtension(name)) {
      options.onSkip(shown, "neither image nor video by its name; --all takes it");
      continue;
    }
    try {
      const stats = await stat(path);
      if (stats.isFile()) yield { path, shownPath: shown, name, stats };
      else options.onSkip(shown, stats.isDirectory() ? "a link to a folder; name it to take it" : "no file");
    } catch (error) {
      const isLink = entry.isSymbolicLink() && (error as NodeJS.ErrnoException).code === "ENOENT";
      yield { shownPath: shown, reason: isLink ? "a link that leads nowhere" : reasonOf(error) };
    }
  }
}

function joinPath(folder: FilePath, name: Buffer, isExact: boolean): FilePath {
  const isText = typeof folder === "string";
  if (isText && isExact) return folder.endsWith(sep) ? folder + name : folder + sep + name;
  return Buffer.concat([isText ? Buffer.from(folder) : folder, Buffer.from(sep), name]);
}
