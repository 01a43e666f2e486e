import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { UsageError } from "../command-line/failures.ts";

/** The folders from which another program may upload files. */
export interface Roots {
  readonly paths: readonly string[];
  /**
   * Opens a file below one of the folders. Links are followed first, so that none leads out of them.
   * @param path relative to the first folder, or absolute
   * @throws OutsideRoots; Error of the file system; Error if it is no regular file
   */
  open(path: string): Promise<OpenFile>;
}

export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** Without links. */
  readonly path: string;
}

export class OutsideRoots extends Error {}
export class NoRegularFile extends Error {}

/** A named pipe would wait for its writer. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @throws UsageError if one is no folder */
export async function openRoots(folders: readonly string[]): Promise<Roots> {
  const paths = await Promise.all(folders.map(toRoot));
  return {
    paths,
    async open(path) {
      const named = resolve(paths[0] as string, path);
      const real = await realpath(named);
      if (!paths.some((root) => isBelow(root, real)))
        throw new OutsideRoots(`${path} is outside of ${paths.join(", ")}`);
      const handle = await open(real, FLAGS);
      try {
        if (!(await handle.stat()).isFile()) throw new NoRegularFile(`${path} is no file`);
        const opened = await pathOf(handle, real);
        if (opened === undefined || !paths.some((root) => isBelow(root, opened)))
          throw new OutsideRoots(`${path} changed its place while it was opened`);
        return { handle, path: real, [Symbol.asyncDispose]: () => handle.close() };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
  };
}

async function toRoot(folder: string): Promise<string> {
  const real = await realpath(folder).catch((error: Error) => {
    throw new UsageError(`--root ${folder}: ${error.message}`);
  });
  if (!(await stat(real)).isDirectory()) throw new UsageError(`--root ${folder} is no folder`);
  return real;
}

/** Whether a path without links is below a folder without links. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * The path of an open file. Another program may have put a link into the path after it was resolved, so Linux's own record of the file
 * decides. Other systems have none: the open file must be the file at the resolved path.
 */
async function pathOf(handle: FileHandle, resolved: string): Promise<string | undefined> {
  if (process.platform === "linux") return readlink(`/proc/self/fd/${handle.fd}`);
  const named = await stat(resolved, { bigint: true });
  const opened = await handle.stat({ bigint: true });
  const isSame = named.ino === opened.ino && named.dev === opened.dev;
  return isSame ? realpath(resolved) : undefined;
}
