import { readPngProfile } from "../../media/icc/png-profile.ts";
import { decodePng } from "../../media/png/jsquash-png.ts";
import { readPngFile } from "../../media/png/png-file.ts";
import { readPngOrientation } from "../../media/png/png-orientation.ts";
import { sourceOf } from "../../media/png/png-source.ts";
import { readPngHead } from "../../media/png/read-png-head.ts";
import { resizeRows } from "../../media/png/resize-rows.ts";
import { combineOrientations } from "../../media/resample/orientations.ts";
import { upright } from "../../media/resample/upright.ts";
import { storedWindow } from "../../media/resample/window.ts";
import { growTo } from "../isolate-memory.ts";
import { PICTURE_ENGINES } from "./picture-engines.ts";
import { decodingBytes, isDecodedAtOnce, type Picture, type PictureWork } from "./picture-work.ts";
import { readWhole } from "./read-whole.ts";
import { resizeDecoded } from "./resize-decoded.ts";
import { MAX_ROW_PIXELS, openRowTools } from "./row-tools.ts";

/** Reads a PNG: a small one is decoded at once, a larger one row by row. An animated PNG shows its default image. */
export async function readPngPicture(work: PictureWork): Promise<Picture> {
  const { lease, workBytes, turn = 1, choose, isRough } = work;
  const bytes = await readWhole(work);
  if (bytes === undefined) return { outcome: "too-large" };
  const { width, height, shows } = readPngHead(bytes);
  if (shows !== true) return { outcome: "impossible", reason: "Damaged" };
  const orientation = combineOrientations(readPngOrientation(bytes), turn);
  if (isDecodedAtOnce(width * height, bytes.length)) {
    await growTo(lease, workBytes + bytes.length + decodingBytes(width * height, bytes.length));
    const decoded = decodePng(PICTURE_ENGINES.pngDecoder, bytes);
    if (decoded !== undefined) {
      const window = storedWindow(choose, decoded, orientation);
      const pixels = resizeDecoded(decoded, window, isRough);
      return { outcome: "pixels", pixels: upright(pixels, orientation), profile: readPngProfile(bytes) };
    }
  }
  if (width * height > MAX_ROW_PIXELS) return { outcome: "too-large" };
  const png = readPngFile(bytes, { takesAnimated: true });
  if (typeof png === "string") return { outcome: "too-large" };
  const pixels = await resizeRows(openRowTools(), sourceOf(png), storedWindow(choose, png.header, orientation));
  if (pixels === undefined) return { outcome: "too-large" };
  return { outcome: "pixels", pixels: upright(pixels, orientation), profile: readPngProfile(bytes) };
}
