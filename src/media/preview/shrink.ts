import type { Pixels } from "../webp/webp-engine.ts";
import { previewSize } from "./preview-size.ts";
import { Scalers } from "./scaler.ts";

/** A picture that is decoded already, as small as a preview is. @param module of `engine/`, compiled */
export function shrink(module: WebAssembly.Module, { data, width, height }: Pixels): Pixels {
  const size = previewSize({ width, height });
  if (size.width === width && size.height === height) return { data, width, height };
  const scaler = new Scalers(module).add({ channels: 4, sourceWidth: width, sourceHeight: height, ...size });
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let y = 0; y < height; y++) scaler.addRow(bytes.subarray(4 * y * width));
  return { data: scaler.finish(0), ...size };
}
