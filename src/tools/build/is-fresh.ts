import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Whether what was built is at least as new as all that it is built from, as make(1) judges.
 * @param sources files, and folders with all their files
 */
export async function isFresh(targets: readonly string[], sources: readonly string[]): Promise<boolean> {
  const built = await Promise.all(targets.map((path) => stat(path).catch(() => undefined)));
  const oldest = Math.min(...built.map((found) => found?.mtimeMs ?? 0));
  const files = (await Promise.all(sources.map(listFiles))).flat();
  const changed = await Promise.all(files.map(async (path) => (await stat(path)).mtimeMs));
  return oldest >= Math.max(...changed);
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
