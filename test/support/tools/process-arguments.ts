import { readdir, readFile } from "node:fs/promises";

/** The arguments of all processes, which every user of this machine can read (proc(5), cmdline), including this process's children. */
export async function processArguments(): Promise<string> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  // A process may end while its entry is read.
  const all = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(all)).map((line) => line.replaceAll("\0", " ")).join("\n");
}
