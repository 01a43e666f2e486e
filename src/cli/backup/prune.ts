import { type FileLine, listBackups, readChunk, readManifest } from "./manifest.ts";
import type { Target } from "./target.ts";

/** Deletes unfinished backups, all but the newest complete backups, and files that no remaining backup lists. */
export async function prune(target: Target, keep: number): Promise<void> {
  const kept = (await listBackups(target)).slice(-keep);
  const files = new Set<string>();
  for (const id of kept) {
    const { chunks } = await readManifest(target, id);
    for (const chunk of chunks.filter(({ holds }) => holds.kind === "files")) {
      for (const { name } of await readChunk<FileLine>(target, chunk)) files.add(name);
    }
  }
  // The manifest is deleted first: a backup without it is not complete.
  const old = (await target.list("backups/")).filter((name) => !kept.includes(name.split("/")[1] ?? ""));
  for (const name of old.sort((a, b) => Number(b.endsWith("manifest.json")) - Number(a.endsWith("manifest.json")))) {
    await target.delete(name);
  }
  for (const name of await target.list("files/")) if (!files.has(name)) await target.delete(name);
}
