import { readFileSync } from "node:fs";

/** proc(5), /proc/pid/stat: fields 14 and 15, of those behind the name, in the ticks that Linux shows to programs. */
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];
const TICKS_PER_SECOND = 100;

/** What all threads of a running process have had of the processors so far; undefined where the system does not tell. */
export function readCpuSeconds(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
