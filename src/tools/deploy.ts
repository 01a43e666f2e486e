import { rmSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { openAsk } from "./deploy/choose-residence.ts";
import { deploy } from "./deploy/deploy.ts";
import { DeployError } from "./deploy/deploy-error.ts";
import { DEPLOY_DIR } from "./deploy/installation.ts";
import { isAlive } from "./deploy/is-alive.ts";
import { parseOptions, USAGE } from "./deploy/options.ts";

/** `npm run deploy`: the whole service into a Cloudflare account (`-- --help`). */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

// Child processes and temporary files are removed on exit.
for (const signal of SIGNALS) process.once(signal, () => process.exit(128 + constants.signals[signal]));

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options.isHelp) {
    console.log(USAGE);
    return;
  }
  await lockTree();
  await deploy(options, process.env, console.log, openAsk());
}

try {
  await main();
} catch (error) {
  console.error(error instanceof DeployError ? `error: ${error.message}` : error);
  process.exitCode = 1;
}

/**
 * Allows one deployment at a time in a tree, because it builds there and writes configurations. The lock is held until this process ends.
 * @throws DeployError if another process holds it
 */
async function lockTree(): Promise<void> {
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
