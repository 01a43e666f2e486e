import { readFileSync } from "node:fs";

/**
 * The time for which a process's first thread, which runs all Workers of workerd, has waited for a processor that other programs had (Linux,
 * `schedstat`).
 */
export function readQueuedSeconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[1]) / 1e9;
}
