import { readFile, rename, writeFile } from "node:fs/promises";

/**
 * Writes a file that stacks share, as a whole. Each running `wrangler dev` watches it and restarts its Workers when it is written, so an
 * equal file is left alone. Only this user can read it, because it may have secrets.
 */
export async function writeIfChanged(path: string, text: string): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => undefined)) === text) return;
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, text, { mode: 0o600 });
  await rename(fresh, path);
}
