import { resamplePixels } from "../../media/resample/resample-pixels.ts";
import { thinPixels } from "../../media/resample/thin-pixels.ts";
import { type Window, wholeWindow } from "../../media/resample/window.ts";
import type { Pixels } from "../../media/webp/webp-engine.ts";
import { PICTURE_ENGINES } from "./picture-engines.ts";

/** Scales a window of a decoded picture. @param isRough whether some of the pixels are enough; the window is then the whole */
export function resizeDecoded(decoded: Pixels, window: Window, isRough = false): Pixels {
  const { resampler } = PICTURE_ENGINES;
  if (!isRough) return resamplePixels(resampler, decoded, window);
  const thin = thinPixels(decoded, window.result);
  return resamplePixels(resampler, thin, wholeWindow(thin, window.result));
}
