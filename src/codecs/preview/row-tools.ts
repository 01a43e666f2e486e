import { ThreadShare } from "../../isolate/yield-thread.ts";
import { PREVIEW_ENGINES } from "./preview-engines.ts";

/** Rows are read one after the other; of so many pixels, for a second or two. */
export const MAX_ROW_PIXELS = 100_000_000;

/** What a picture is read row by row with, lending the thread to others. */
export function openRowTools() {
  const share = new ThreadShare();
  const { pngEngine: engine, scaler } = PREVIEW_ENGINES;
  return { engine, scaler, yieldIfDue: (stepMs: number) => share.yieldIfDue(stepMs) };
}
