import { decodePng } from "../../media/png/jsquash-png.ts";
import { readPngFile } from "../../media/png/png-file.ts";
import { readPngOrientation } from "../../media/png/png-orientation.ts";
import { sourceOf } from "../../media/png/png-source.ts";
import { previewRows } from "../../media/png/preview-rows.ts";
import { readPngHead } from "../../media/png/read-png-head.ts";
import { shrink } from "../../media/preview/shrink.ts";
import { upright } from "../../media/preview/upright.ts";
import { growTo } from "../isolate-memory.ts";
import { PREVIEW_ENGINES } from "./preview-engines.ts";
import { decodingBytes, isDecodedAtOnce, PREVIEW_BYTES, type Preview, type PreviewInWork } from "./preview-work.ts";
import { readWhole } from "./read-whole.ts";
import { MAX_ROW_PIXELS, openRowTools } from "./row-tools.ts";

/** A small PNG is decoded at once, a larger one row by row; of an animated one it is the picture that viewers without animations show. */
export async function previewPngFile({ file, lease }: PreviewInWork): Promise<Preview> {
  const bytes = await readWhole(file, lease);
  if (bytes === undefined) return { outcome: "too-large" };
  const { width, height, shows } = readPngHead(bytes);
  if (shows !== true) return { outcome: "impossible", reason: "Damaged" };
  const orientation = readPngOrientation(bytes);
  if (isDecodedAtOnce(width * height, bytes.length)) {
    await growTo(lease, PREVIEW_BYTES + bytes.length + decodingBytes(width * height, bytes.length));
    const decoded = decodePng(PREVIEW_ENGINES.pngDecoder, bytes);
    if (decoded !== undefined)
      return { outcome: "pixels", pixels: upright(shrink(PREVIEW_ENGINES.scaler, decoded), orientation) };
  }
  if (width * height > MAX_ROW_PIXELS) return { outcome: "too-large" };
  const png = readPngFile(bytes, { takesAnimated: true });
  if (typeof png === "string") return { outcome: "too-large" };
  const pixels = await previewRows(openRowTools(), sourceOf(png));
  if (pixels === undefined) return { outcome: "too-large" };
  return { outcome: "pixels", pixels: upright(pixels, orientation) };
}
