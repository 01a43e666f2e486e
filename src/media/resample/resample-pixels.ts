import type { Pixels } from "../webp/webp-engine.ts";
import { Resamplers } from "./resampler.ts";
import type { Window } from "./window.ts";

/** Scales a window of a decoded picture. @param module the compiled `engine/` */
export function resamplePixels(module: WebAssembly.Module, { data, width, height }: Pixels, window: Window): Pixels {
  if (isWhole(window, { width, height })) return { data, width, height };
  const resampler = new Resamplers(module).addPixels({ width, height }, window);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let y = 0; y < height; y++) resampler.addRow(bytes.subarray(4 * y * width));
  return { data: resampler.finish(0), ...window.result };
}

function isWhole({ left, top, result, ...part }: Window, { width, height }: Pick<Pixels, "width" | "height">): boolean {
  const isAll = left === 0 && top === 0 && part.width === width && part.height === height;
  return isAll && result.width === width && result.height === height;
}
