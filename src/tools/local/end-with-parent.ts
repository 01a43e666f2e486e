import { createInterface } from "node:readline";
import { signalGroup } from "./stop-group.ts";

/**
 * Stops the process groups of a parent that was killed. Standard input lists them, `+` when they start and `-` when they end, and closes
 * with the parent.
 */

const GRACE_MS = 8000;
const CHECK_EVERY_MS = 100;

const groups = new Set<number>();
for await (const line of createInterface(process.stdin)) {
  const pid = Number(line.slice(1));
  if (line.startsWith("+")) groups.add(pid);
  else groups.delete(pid);
}

for (const pid of groups) signalGroup(pid, "SIGTERM");
for (let waitedMs = 0; waitedMs < GRACE_MS && [...groups].some(isAlive); waitedMs += CHECK_EVERY_MS) {
  await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
}
for (const pid of groups) signalGroup(pid, "SIGKILL");

function isAlive(groupId: number): boolean {
  return signalGroup(groupId, 0);
}
