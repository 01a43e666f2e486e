import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { UploadStorage } from "../../client/index.ts";
import { stateFolder } from "../session/folders.ts";

/**
 * Remembers where the pieces of one file go, so that the same command goes on after Ctrl-C: a small file for each upload that was begun.
 * The client's own key is a name, a size and a time, which files in two folders may have in common.
 * @param upload what tells the upload from all others: the service, the bytes' digest, where they go
 */
export function resumeStore(env: NodeJS.ProcessEnv, upload: readonly unknown[]): UploadStorage {
  const folder = join(stateFolder(env), "unfinished");
  const path = join(folder, createHash("sha256").update(JSON.stringify(upload)).digest("hex"));
  return {
    getItem: () => readFile(path, "utf8").catch(() => null),
    // An upload that cannot be gone on with is an upload all the same.
    setItem: (_, value) => replace(value).catch(() => undefined),
    removeItem: () => rm(path, { force: true }),
  };

  async function replace(value: string): Promise<void> {
    const fresh = `${path}.${process.pid}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(fresh, value, { mode: 0o600 });
    await rename(fresh, path);
  }
}
