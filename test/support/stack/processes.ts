import { readdir, readFile } from "node:fs/promises";

export interface RunningProcess {
  readonly pid: number;
  readonly parentPid: number;
  /** Its program and arguments. */
  readonly command: string;
}

/**
 * The running processes of this machine, from Linux's /proc (proc(5), stat): a minimal machine has no `ps`. Ended processes are left out.
 */
export async function listProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while its entry is read.
      const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
      // The name before it, in brackets, may contain any character.
      const [, state, parentPid] = /^ (\S) (\d+) /.exec(stat.slice(stat.lastIndexOf(")") + 1)) ?? [];
      if (state === undefined || state === "Z" || state === "X") return [];
      const command = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ");
      return [{ pid, parentPid: Number(parentPid), command }];
    }),
  );
  return found.flat();
}

/** The processes that this one has started, and their descendants. */
export async function descendants(pid: number): Promise<number[]> {
  const children = Map.groupBy(await listProcesses(), ({ parentPid }) => parentPid);
  const found: number[] = [];
  const queue = [pid];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const own = (children.get(next) ?? []).map((child) => child.pid);
    found.push(...own);
    queue.push(...own);
  }
  return found;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** @returns the processes that still exist after a while */
export async function waitUntilGone(pids: readonly number[], timeoutMs = 5000): Promise<number[]> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline && pids.some(isAlive)) await new Promise((done) => setTimeout(done, 50));
  return pids.filter(isAlive);
}
