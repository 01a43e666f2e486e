import { readGifBlocks } from "../../media/gif/gif-blocks.ts";
import { gifSourceOf } from "../../media/gif/gif-source.ts";
import { resizeRows } from "../../media/png/resize-rows.ts";
import { upright } from "../../media/resample/upright.ts";
import { storedWindow } from "../../media/resample/window.ts";
import { growTo } from "../isolate-memory.ts";
import { firstBytes, type Picture, type PictureWork } from "./picture-work.ts";
import { readWhole } from "./read-whole.ts";
import { MAX_ROW_PIXELS, openRowTools } from "./row-tools.ts";

/** Reads a GIF's first frame. An animation is read no further than that frame. */
export async function readGifPicture(work: PictureWork): Promise<Picture> {
  const { file, lease, workBytes, turn = 1, choose } = work;
  await growTo(lease, workBytes + firstBytes(file.sizeBytes));
  let bytes: Uint8Array<ArrayBuffer> | undefined = await file.readTo(firstBytes(file.sizeBytes));
  // The frame is complete if a second frame follows.
  if (readGifBlocks(bytes, 2).frames.length < 2) bytes = await readWhole(work);
  if (bytes === undefined) return { outcome: "too-large" };
  const [frame] = readGifBlocks(bytes, 1).frames;
  if (frame === undefined) return { outcome: "impossible", reason: "Damaged" };
  const source = gifSourceOf(bytes, frame);
  if (source.width * source.height > MAX_ROW_PIXELS) return { outcome: "too-large" };
  const pixels = await resizeRows(openRowTools(), source, storedWindow(choose, source, turn));
  // No row of a GIF is too long, so the result is undefined only if the picture is damaged.
  return pixels === undefined
    ? { outcome: "impossible", reason: "Damaged" }
    : { outcome: "pixels", pixels: upright(pixels, turn), profile: undefined };
}
