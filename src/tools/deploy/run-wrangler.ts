import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Unstable_RawConfig } from "wrangler";
import { QUIET_ENV } from "../local/quiet-env.ts";
import { DeployError } from "./deploy-error.ts";
import { isAlive } from "./is-alive.ts";

/** The deployed configuration's path. It is next to the tracked file, because paths in it are relative; each process has its own. */
const CONFIG_NAME = `.wrangler-deploy.${process.pid}.json`;
const CONFIG_NAMES = /^\.wrangler-deploy\.(\d+)\.json$/;

export interface Upload {
  /** The path of the `wrangler.toml` in the repository. */
  readonly configPath: string;
  readonly config: Unstable_RawConfig;
  /** Secrets to upload, by name. */
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** Whether the Container's image is built and deployed with the Worker. */
  readonly container: boolean;
  /** A temporary folder that only this user can read. */
  readonly folder: string;
  readonly token: string;
  readonly accountId: string;
}

/**
 * Uploads a Worker with its triggers by `wrangler deploy`.
 * @returns the id of the version that is deployed now
 * @throws DeployError with wrangler's message
 */
export async function runWrangler(upload: Upload): Promise<string> {
  const { configPath, config, secrets, container, folder } = upload;
  await removeLeftovers(dirname(configPath));
  const generated = join(dirname(configPath), CONFIG_NAME);
  const secretsFile = join(folder, "secrets.json");
  const outputFile = join(folder, "wrangler-output.ndjson");
  const removeFiles = () => {
    for (const path of [generated, secretsFile, outputFile]) rmSync(path, { force: true });
  };
  // This runs after Ctrl-C, too.
  process.once("exit", removeFiles);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(generated, JSON.stringify(config, null, 2));
    await rm(outputFile, { force: true });
    // The file of a killed run would keep its mode, so it is removed first.
    await rm(secretsFile, { force: true });
    if (secrets !== undefined) await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const args = [
      ...["deploy", "-c", generated],
      // The objects may be reset at any moment, but two versions must not work together for minutes, which "deferred" would allow.
      ...["--durable-objects-code-update-mode", "immediate"],
      ...(secrets === undefined ? [] : ["--secrets-file", secretsFile]),
      // The class is created as a Container's class even without a Container, because an existing class can never become one.
      ...(container ? [] : ["--containers-rollout", "none"]),
    ];
    await run(args, {
      CLOUDFLARE_API_TOKEN: upload.token,
      CLOUDFLARE_ACCOUNT_ID: upload.accountId,
      WRANGLER_OUTPUT_FILE_PATH: outputFile,
    });
    return await readVersionId(outputFile);
  } finally {
    process.off("exit", removeFiles);
    removeFiles();
  }
}

/** The configurations of runs that were killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = CONFIG_NAMES.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

async function run(args: readonly string[], env: Record<string, string>): Promise<void> {
  const wrangler = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
  const child = spawn(process.execPath, [wrangler, ...args], {
    env: { ...QUIET_ENV, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => child.kill("SIGTERM");
  process.once("exit", stop);
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  const [code] = await once(child, "close");
  process.off("exit", stop);
  if (code !== 0) throw new DeployError(`wrangler ${args.slice(0, 3).join(" ")} failed:\n${output.trim()}`);
}

/** @throws DeployError if wrangler succeeded without reporting a version */
async function readVersionId(outputFile: string): Promise<string> {
  const lines = (await readFile(outputFile, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  for (const line of lines) {
    const entry = JSON.parse(line) as { type: string; version_id?: string | null };
    if (entry.type === "deploy" && entry.version_id) return entry.version_id;
  }
  throw new DeployError("wrangler deployed nothing, and did not say why");
}
