import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../command-line/failures.ts";
import { configFolder } from "./folders.ts";

/** The stored login: a service and its credential. */
export interface Config {
  readonly host?: string;
  readonly key?: string;
  readonly session?: { readonly token: string; readonly accountId: string; readonly email: string };
}

const OTHERS = 0o077;

export function configPath(env: NodeJS.ProcessEnv): string {
  return join(configFolder(env), "config.json");
}

/** @throws UsageError if the file is damaged; a file that other users can read is made private */
export async function readConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const path = configPath(env);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (process.platform !== "win32" && ((await stat(path)).mode & OTHERS) !== 0) await chmod(path, 0o600);
  try {
    const config = JSON.parse(text) as Config | null;
    if (typeof config === "object" && config !== null) return config;
  } catch {}
  throw new UsageError(`${path} is no JSON object: mend it, or remove it and log in again`);
}

/** Replaces the file as a whole. Only its owner can read it. */
export async function writeConfig(env: NodeJS.ProcessEnv, config: Config): Promise<void> {
  const path = configPath(env);
  const fresh = `${path}.${process.pid}`;
  await mkdir(configFolder(env), { recursive: true, mode: 0o700 });
  await rm(fresh, { force: true });
  await writeFile(fresh, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(fresh, path);
}
