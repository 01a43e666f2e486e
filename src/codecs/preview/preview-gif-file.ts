import { readGifBlocks } from "../../media/gif/gif-blocks.ts";
import { gifSourceOf } from "../../media/gif/gif-source.ts";
import { previewRows } from "../../media/png/preview-rows.ts";
import { growTo } from "../isolate-memory.ts";
import { firstBytes, PREVIEW_BYTES, type Preview, type PreviewInWork } from "./preview-work.ts";
import { readWhole } from "./read-whole.ts";
import { MAX_ROW_PIXELS, openRowTools } from "./row-tools.ts";

/** A GIF's first picture. Of an animation no more is read than that. */
export async function previewGifFile({ file, lease }: PreviewInWork): Promise<Preview> {
  await growTo(lease, PREVIEW_BYTES + firstBytes(file.sizeBytes));
  let bytes: Uint8Array<ArrayBuffer> | undefined = await file.readTo(firstBytes(file.sizeBytes));
  // A frame is all there where another one follows.
  if (readGifBlocks(bytes, 2).frames.length < 2) bytes = await readWhole(file, lease);
  if (bytes === undefined) return { outcome: "too-large" };
  const [frame] = readGifBlocks(bytes, 1).frames;
  if (frame === undefined) return { outcome: "impossible", reason: "Damaged" };
  const source = gifSourceOf(bytes, frame);
  if (source.width * source.height > MAX_ROW_PIXELS) return { outcome: "too-large" };
  const pixels = await previewRows(openRowTools(), source);
  // No row is too long, so what cannot be read is damaged.
  return pixels === undefined ? { outcome: "impossible", reason: "Damaged" } : { outcome: "pixels", pixels };
}
