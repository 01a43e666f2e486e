import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { QUIET_ENV } from "./quiet-env.ts";

type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/**
 * Runs a command to its end.
 * @param start starts the process; by default in this process's group
 * @throws Error with its output if it fails
 */
export async function run(command: string, args: readonly string[], start: Spawn = spawn): Promise<void> {
  const child = start(command, args, { env: QUIET_ENV, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout?.on("data", (data) => (output += data));
  child.stderr?.on("data", (data) => (output += data));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${output}`);
}
