import { readFileSync } from "node:fs";

/** Positions of fields 14 and 15 of /proc/pid/stat after the name (proc(5)), in Linux's clock ticks. */
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];
const TICKS_PER_SECOND = 100;

/** CPU seconds that all threads of a running process have used; undefined if the system does not report them. */
export function readCpuSeconds(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
