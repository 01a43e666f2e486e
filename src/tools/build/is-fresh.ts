import { stat } from "node:fs/promises";

/**
 * Whether an output is at least as new as all its sources, as in make(1).
 * @throws Error if a source is missing
 */
export async function isFresh(target: string, sources: readonly string[]): Promise<boolean> {
  const built = await stat(target).catch(() => undefined);
  if (built === undefined) return false;
  const changed = await Promise.all(sources.map(async (path) => (await stat(path)).mtimeMs));
  return changed.every((changedMs) => changedMs <= built.mtimeMs);
}
