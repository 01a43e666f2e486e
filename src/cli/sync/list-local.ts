import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasMediaExtension } from "../upload/find-files.ts";
import { decodeName, type LocalFile, reasonOf, type Unusable } from "../upload/local-file.ts";

export interface LocalTree {
  /** Files by their paths below the folder, with slashes and in NFC. */
  readonly files: ReadonlyMap<string, LocalFile>;
  /** Folders that have a file at any depth, parents first. */
  readonly folders: readonly string[];
  /** Paths that are on the disk and are not sent: links, hidden names, other types. */
  readonly skipped: ReadonlySet<string>;
  readonly unusable: readonly Unusable[];
}

export interface LocalOptions {
  readonly withHidden: boolean;
  readonly withAll: boolean;
  readonly onSkip: (path: string, reason: string) => void;
}

/** Lists a folder with its subfolders. No link is followed. @throws Error if the folder itself cannot be read */
export async function listLocal(folder: string, options: LocalOptions): Promise<LocalTree> {
  const files = new Map<string, LocalFile>();
  const folders = new Set<string>();
  const skipped = new Set<string>();
  const unusable: Unusable[] = [];
  const skip = (path: string, reason: string) => {
    skipped.add(path);
    options.onSkip(path, reason);
  };

  const walk = async (prefix: string, entries: readonly Dirent<Buffer>[]): Promise<void> => {
    for (const entry of [...entries].sort((a, b) => Buffer.compare(a.name, b.name))) {
      const { text, isExact } = decodeName(entry.name);
      const path = prefix + text.normalize("NFC");
      const full = join(resolve(folder), prefix, text);
      if (!isExact) unusable.push({ shownPath: path, reason: "its name is not UTF-8" });
      else if (text.startsWith(".") && !options.withHidden) skip(path, "hidden; --hidden takes it");
      else if (entry.isSymbolicLink()) skip(path, "a link");
      else if (entry.isDirectory()) await walkInto(`${path}/`, full);
      else if (!entry.isFile()) skip(path, "no file");
      else if (!options.withAll && !hasMediaExtension(text)) skip(path, "neither image nor video by its name");
      else if (files.has(path)) unusable.push({ shownPath: path, reason: "another file has the same name" });
      else await add(path, full, text);
    }
  };
  const walkInto = async (prefix: string, full: string): Promise<void> => {
    try {
      await walk(prefix, await readdir(full, { withFileTypes: true, encoding: "buffer" }));
    } catch (error) {
      unusable.push({ shownPath: prefix, reason: reasonOf(error) });
    }
  };
  const add = async (path: string, full: string, name: string): Promise<void> => {
    try {
      files.set(path, { path: full, shownPath: path, name, stats: await lstat(full) });
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at));
    } catch (error) {
      unusable.push({ shownPath: path, reason: reasonOf(error) });
    }
  };

  await walk("", await readdir(folder, { withFileTypes: true, encoding: "buffer" }));
  return { files, folders: [...folders], skipped, unusable };
}
