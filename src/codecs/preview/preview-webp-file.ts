import { onCanvas } from "../../media/preview/on-canvas.ts";
import { shrink } from "../../media/preview/shrink.ts";
import { readWebpHead } from "../../media/webp/read-webp-head.ts";
import { stillOf } from "../../media/webp/still-webp.ts";
import { growTo } from "../isolate-memory.ts";
import { webpEngine } from "../webp-engine.ts";
import { PREVIEW_ENGINES } from "./preview-engines.ts";
import {
  decodingBytes,
  firstBytes,
  isDecodedAtOnce,
  PREVIEW_BYTES,
  type Preview,
  type PreviewInWork,
} from "./preview-work.ts";
import { readWhole } from "./read-whole.ts";

/** A WebP, or the first picture of an animated one, which libwebp decodes at once. Its canvas is told by the first bytes. */
export async function previewWebpFile({ file, lease }: PreviewInWork): Promise<Preview> {
  await growTo(lease, PREVIEW_BYTES + firstBytes(file.sizeBytes));
  const first = await file.readTo(firstBytes(file.sizeBytes));
  const { width, height } = readWebpHead(first);
  if (width === 0) return { outcome: "impossible", reason: "Damaged" };
  if (!isDecodedAtOnce(width * height, 0)) return { outcome: "too-large" };
  const bytes = stillOf(first)?.isWhole === true ? first : await readWhole(file, lease);
  if (bytes === undefined) return { outcome: "too-large" };
  const still = stillOf(bytes);
  if (still === undefined) return { outcome: "impossible", reason: "Damaged" };
  // What libwebp decodes has the size that the frame itself tells, whatever its canvas; a larger one nobody shows.
  const frame = readWebpHead(still.file);
  if (frame.width === 0 || frame.width > width || frame.height > height)
    return { outcome: "impossible", reason: "Damaged" };
  if (!isDecodedAtOnce(width * height, still.file.length)) return { outcome: "too-large" };
  const canvasBytes = 4 * width * height;
  await growTo(lease, PREVIEW_BYTES + bytes.length + decodingBytes(width * height, still.file.length) + canvasBytes);
  const picture = await webpEngine.decode(still.file).catch(() => undefined);
  if (picture === undefined) return { outcome: "impossible", reason: "Damaged" };
  return { outcome: "pixels", pixels: shrink(PREVIEW_ENGINES.scaler, onCanvas(picture, still, { width, height })) };
}
