import { readdir, readFile, writeFile } from "node:fs/promises";

/** Memory of other processes, from Linux's /proc. */

/** @returns the pid of the one workerd process that this process has started */
export async function findWorkerd(): Promise<number> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while its entry is read.
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return /^Name:\s+workerd$/m.test(status) && new RegExp(`^PPid:\\s+${process.pid}$`, "m").test(status);
    }),
  );
  const [pid, ...others] = pids.filter((_, index) => found[index]);
  if (pid === undefined || others.length > 0) throw new Error("Exactly one workerd must be running");
  return pid;
}

/** The memory that a process holds now. */
export async function residentBytes(pid: number): Promise<number> {
  return statusField(pid, "VmRSS");
}

/** The most memory that it held since it started, or since `resetPeak`. */
export async function peakBytes(pid: number): Promise<number> {
  return statusField(pid, "VmHWM");
}

/** proc(5): writing 5 to clear_refs resets the peak to the current memory. */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}

async function statusField(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${name}`);
  return Number(kilobytes) * 1024;
}
