import { Slots } from "./slots.ts";

/** Whoever has uploaded an image waits for the answer meanwhile. */
const MAX_WAIT_MS = 30_000;

const decoding = new Slots(1);

/**
 * Runs tasks of this isolate one after the other: the memory of two images being decoded at once would be too much.
 * @throws Error where those before it take more than half a minute, and what the task throws; the tasks behind it run all
 * the same
 */
export async function oneAtATime<Result>(task: () => Promise<Result>): Promise<Result> {
  const turn = await decoding.take(MAX_WAIT_MS);
  if (turn === undefined) throw new Error("Other images have kept this one waiting for too long");
  try {
    return await task();
  } finally {
    turn.release();
  }
}
