import { ThreadShare } from "../../isolate/yield-thread.ts";
import { PICTURE_ENGINES } from "./picture-engines.ts";

/** The largest image that is read row by row (1 to 2 s). */
export const MAX_ROW_PIXELS = 100_000_000;

/** Tools that read a picture row by row and yield the thread to others. */
export function openRowTools() {
  const share = new ThreadShare();
  const { pngEngine: engine, resampler } = PICTURE_ENGINES;
  return { engine, resampler, yieldIfDue: (stepMs: number) => share.yieldIfDue(stepMs) };
}
