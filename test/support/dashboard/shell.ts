import { execFile } from "node:child_process";

export interface ShellResult {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a command like a pasted one in a shell. @param cwd the folder of its files */
export function runShell(command: string, cwd: string): Promise<ShellResult> {
  return new Promise((resolve) => {
    execFile("sh", ["-c", command], { cwd }, (error, stdout) => {
      resolve({ exitCode: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, output: stdout });
    });
  });
}
