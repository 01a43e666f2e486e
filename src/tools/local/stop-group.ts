import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

const STOP_GRACE_MS = 8000;

/** Stops a child that leads a process group, with all processes that it started. */
export async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const { pid } = child;
  const ended = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, "exit");
  signalGroup(pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), STOP_GRACE_MS);
  await ended;
  clearTimeout(timer);
  // The leader has ended, so the rest of its group is killed.
  signalGroup(pid, "SIGKILL");
}

/**
 * Sends a signal to a process group; 0 only checks that it exists.
 * @returns false if the group is empty
 */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}
