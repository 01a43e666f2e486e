import { constants } from "node:os";
import { openAsk } from "./deploy/choose-residence.ts";
import { deploy } from "./deploy/deploy.ts";
import { DeployError } from "./deploy/deploy-error.ts";
import { lockTree } from "./deploy/lock.ts";
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
