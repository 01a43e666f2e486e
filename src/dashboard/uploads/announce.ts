import { formatPlural } from "../design/format.ts";
import type { Snapshot } from "./snapshot.ts";
import { titleOf } from "./words.ts";

const EVERY_FILES = 10;
const EVERY_MS = 30_000;

export interface Said {
  readonly done: number;
  readonly failed: number;
  readonly left: number;
  readonly paused: boolean;
  readonly at: number;
}

export const NOTHING_SAID: Said = { done: 0, failed: 0, left: 0, paused: false, at: 0 };

/**
 * Announces uploads to screen readers: their start, every ten files or half a minute, failures at once, and their end.
 * @returns undefined if there is nothing to announce
 */
export function announce(said: Said, snapshot: Snapshot, now: number): { text: string; said: Said } | undefined {
  const { done, failed, left, total, pause } = snapshot;
  const next = { done, failed, left, paused: pause !== undefined, at: now };
  const say = (text: string) => ({ text, said: next });
  if (left > 0 && said.left === 0) return say(`Uploading ${formatPlural(left, "file")}`);
  // A small file may be stored before its start is seen.
  if (left === 0 && (said.left > 0 || done > said.done))
    return say(total === 0 ? "Uploads cancelled" : titleOf(snapshot));
  if (failed > said.failed) {
    const [last] = snapshot.items.filter(({ state }) => state === "failed").slice(-1);
    return say(last === undefined ? `${failed} failed` : `${last.name}: ${last.message}`);
  }
  if (next.paused !== said.paused) return say(pause === undefined ? "Uploads resumed" : pause.message);
  const isTime = done - said.done >= EVERY_FILES || (done > said.done && now - said.at >= EVERY_MS);
  return left > 0 && isTime ? say(`${done} of ${total} uploaded`) : undefined;
}
