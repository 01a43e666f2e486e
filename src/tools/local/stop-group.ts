import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

const STOP_GRACE_MS = 8000;

/** Stops a child that leads a process group of its own, with all that it started. */
export async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const { pid } = child;
  const ended = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, "exit");
  signalGroup(pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), STOP_GRACE_MS);
  await ended;
  clearTimeout(timer);
  // The leader is gone; whoever of its group is left has nothing to wait for.
  signalGroup(pid, "SIGKILL");
}

/**
 * Sends a signal to a process group; 0 sends none and only asks.
 * @returns false where nobody of the group is left
 */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}
