import { readdir, readFile } from "node:fs/promises";

/** What every user of this machine sees of its processes (proc(5), cmdline), this one's own children among them. */
export async function processArguments(): Promise<string> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  // A process may end while it is looked at.
  const all = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(all)).map((line) => line.replaceAll("\0", " ")).join("\n");
}
