import { readdir, readFile } from "node:fs/promises";

export interface RunningProcess {
  readonly pid: number;
  readonly parentPid: number;
}

/** What runs on this machine, as Linux's /proc tells it (proc(5), stat): a bare one has no `ps`. What has ended is left out. */
export async function listProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while it is looked at.
      const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
      // The name before it, in brackets, may hold anything.
      const [, state, parentPid] = /^ (\S) (\d+) /.exec(stat.slice(stat.lastIndexOf(")") + 1)) ?? [];
      return state === undefined || state === "Z" || state === "X" ? [] : [{ pid, parentPid: Number(parentPid) }];
    }),
  );
  return found.flat();
}
