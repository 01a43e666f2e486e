import { stat } from "node:fs/promises";

/**
 * Whether what was built is at least as new as every file that it is built from, as make(1) judges.
 * @throws Error where a source is not there
 */
export async function isFresh(target: string, sources: readonly string[]): Promise<boolean> {
  const built = await stat(target).catch(() => undefined);
  if (built === undefined) return false;
  const changed = await Promise.all(sources.map(async (path) => (await stat(path)).mtimeMs));
  return changed.every((changedMs) => changedMs <= built.mtimeMs);
}
