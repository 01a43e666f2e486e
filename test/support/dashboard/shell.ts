import { execFile } from "node:child_process";

export interface ShellResult {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs what somebody would paste into a shell. @param cwd where its files are */
export function runShell(command: string, cwd: string): Promise<ShellResult> {
  return new Promise((resolve) => {
    execFile("sh", ["-c", command], { cwd }, (error, stdout) => {
      resolve({ exitCode: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, output: stdout });
    });
  });
}
