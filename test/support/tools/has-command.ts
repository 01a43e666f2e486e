import { execFileSync } from "node:child_process";

/** Whether a command can be run here. Tools that are large to install are tested only on machines that have them. */
export function hasCommand(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args.length === 0 ? ["--version"] : args, { stdio: "ignore" });
    return true;
  } catch {
    console.warn(`${command} is not installed here: its test is skipped`);
    return false;
  }
}
