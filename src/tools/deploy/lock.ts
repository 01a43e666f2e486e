import { rmSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DeployError } from "./deploy-error.ts";
import { DEPLOY_DIR } from "./installation.ts";
import { isAlive } from "./is-alive.ts";

/**
 * Allows one deployment at a time in a tree, because it builds there and writes configurations. The lock is held until this process ends.
 * @throws DeployError if another process holds it
 */
export async function lockTree(): Promise<void> {
  const path = join(DEPLOY_DIR, "lock");
  await mkdir(DEPLOY_DIR, { recursive: true, mode: 0o700 });
  for (let isRetry = false; ; isRetry = true) {
    try {
      await writeFile(path, String(process.pid), { flag: "wx" });
      process.once("exit", () => rmSync(path, { force: true }));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = Number(await readFile(path, "utf8").catch(() => ""));
      if (isRetry || isAlive(holder)) {
        throw new DeployError(`Another deployment runs in this tree (process ${holder}; ${path})`);
      }
      // It was killed.
      await rm(path, { force: true });
    }
  }
}
