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
import type { Pixels } from "../../media/webp/webp-engine.ts";
import { growTo } from "../isolate-memory.ts";
import { PICTURE_ENGINES } from "./picture-engines.ts";
import { decodingBytes, isDecodedAtOnce, type Picture, type PictureWork } from "./picture-work.ts";
import { readWhole } from "./read-whole.ts";
import { resizeDecoded } from "./resize-decoded.ts";
import { MAX_ROW_PIXELS, openRowTools } from "./row-tools.ts";

/**
 * Reads a PNG. An animated PNG shows its default image. A small one is decoded at once, a larger one row by row. A rough picture is first read
 * row by row, because the engine for rows is used again, and a new decoder takes longer to make than a small picture takes to read.
 */
export async function readPngPicture(work: PictureWork): Promise<Picture> {
  const bytes = await readWhole(work);
  if (bytes === undefined) return { outcome: "too-large" };
  const { width, height, shows } = readPngHead(bytes);
  if (shows !== true) return { outcome: "impossible", reason: "Damaged" };
  const orientation = combineOrientations(readPngOrientation(bytes), work.turn ?? 1);
  const png = { ...work, bytes, pixels: width * height, orientation };
  const pixels =
    work.isRough === true
      ? ((await readRows(png)) ?? (await readAtOnce(png)))
      : ((await readAtOnce(png)) ?? (await readRows(png)));
  if (pixels === undefined) return { outcome: "too-large" };
  return { outcome: "pixels", pixels: upright(pixels, orientation), profile: readPngProfile(bytes) };
}

interface PngWork extends PictureWork {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Width times height. */
  readonly pixels: number;
  readonly orientation: number;
}

async function readAtOnce({ bytes, pixels, orientation, ...work }: PngWork): Promise<Pixels | undefined> {
  if (!isDecodedAtOnce(pixels, bytes.length)) return undefined;
  await growTo(work.lease, work.workBytes + bytes.length + decodingBytes(pixels, bytes.length));
  const decoded = decodePng(PICTURE_ENGINES.pngDecoder, bytes);
  return decoded && resizeDecoded(decoded, storedWindow(work.choose, decoded, orientation), work.isRough);
}

async function readRows({ bytes, pixels, orientation, choose }: PngWork): Promise<Pixels | undefined> {
  if (pixels > MAX_ROW_PIXELS) return undefined;
  const png = readPngFile(bytes, { takesAnimated: true });
  if (typeof png === "string") return undefined;
  return resizeRows(openRowTools(), sourceOf(png), storedWindow(choose, png.header, orientation));
}
