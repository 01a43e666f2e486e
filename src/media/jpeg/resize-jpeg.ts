import type { Resampler } from "../resample/resampler.ts";
import { Resamplers } from "../resample/resampler.ts";
import type { Size, Window } from "../resample/window.ts";
import { type BlockSide, decodeReduced } from "./decode-reduced.ts";
import type { JpegFile } from "./jpeg-file.ts";
import type { JpegTools } from "./recompress-jpeg.ts";

/** The value of missing samples. */
const GRAY = 128;

/** Samples of one component at a result's size. */
export interface ResizedPlane {
  readonly samples: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** The smallest block side that keeps all details of the result. */
export function reducedSideOf({ width, height, result }: Window): BlockSide {
  const scale = Math.max(result.width / width, result.height / height);
  return ([1, 2, 4] as const).find((side) => side / 8 >= scale) ?? 8;
}

/**
 * Decodes a JPEG's components and resizes each separately, so that only the result's few pixels are converted. It holds a row of MCUs, a
 * window of rows and the result in memory.
 * @param sizeOf the result's size of a component; all have the window's if the result is not a JPEG
 * @throws JpegDeclined if nothing can be decoded; the error of `tools.holdIfMore`
 */
export async function resizeJpeg(
  tools: JpegTools & { readonly resampler: WebAssembly.Module },
  source: Uint8Array<ArrayBuffer>,
  file: JpegFile,
  window: Window,
  sizeOf: (component: number) => Size,
  side = reducedSideOf(window),
): Promise<ResizedPlane[]> {
  const resamplers = new Resamplers(tools.resampler);
  const planes = file.components.map(({ h, v, blocksPerLine, blockLines }, i): Resampler => {
    const [across, down] = [(h / file.hMax) * (side / 8), (v / file.vMax) * (side / 8)];
    return resamplers.add({
      channels: 1,
      columns: Math.min(blocksPerLine * side, Math.ceil(Math.ceil((file.width * h) / file.hMax) * (side / 8))),
      rows: Math.min(blockLines * side, Math.ceil(Math.ceil((file.height * v) / file.vMax) * (side / 8))),
      across: { from: window.left * across, length: window.width * across },
      down: { from: window.top * down, length: window.height * down },
      ...sizeOf(i),
    });
  });
  await decodeReduced(tools, source, file, { side, planes });
  const resized = planes.map((plane, i) => ({ samples: plane.finish(GRAY).slice(), ...sizeOf(i) }));
  resamplers.release();
  return resized;
}
