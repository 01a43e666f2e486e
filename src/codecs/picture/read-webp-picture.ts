import { ThreadShare } from "../../isolate/yield-thread.ts";
import { readWebpProfile } from "../../media/icc/webp-profile.ts";
import { CLEAR, onCanvas } from "../../media/pixels/edit-pixels.ts";
import { upright } from "../../media/resample/upright.ts";
import { storedWindow } from "../../media/resample/window.ts";
import { EngineMemoryError } from "../../media/webp/memory-bound.ts";
import { readWebpHead } from "../../media/webp/read-webp-head.ts";
import { stillOf } from "../../media/webp/still-webp.ts";
import { growTo } from "../isolate-memory.ts";
import { webpEngine } from "../libwebp.ts";
import { decodingMemory, MAX_PIXELS, webpBlockingMs } from "../webp-memory.ts";
import { firstBytes, isDecodedAtOnce, type Picture, type PictureWork } from "./picture-work.ts";
import { readWhole } from "./read-whole.ts";
import { resizeDecoded } from "./resize-decoded.ts";

/** Reads a WebP or the first frame of an animated one. libwebp decodes it at once. The first bytes contain the canvas size. */
export async function readWebpPicture(work: PictureWork): Promise<Picture> {
  const { file, lease, workBytes, turn = 1, choose, isRough } = work;
  await growTo(lease, workBytes + firstBytes(file.sizeBytes));
  const first = await file.readTo(firstBytes(file.sizeBytes));
  const { width, height } = readWebpHead(first);
  if (width === 0) return { outcome: "impossible", reason: "Damaged" };
  const pixels = width * height;
  // A placeholder is made while its upload waits, so it has less time.
  if (pixels > MAX_PIXELS.lossy || (isRough === true && !isDecodedAtOnce(pixels, 0))) return { outcome: "too-large" };
  const bytes = stillOf(first)?.isWhole === true ? first : await readWhole(work);
  if (bytes === undefined) return { outcome: "too-large" };
  const still = stillOf(bytes);
  if (still === undefined) return { outcome: "impossible", reason: "Damaged" };
  // libwebp decodes at the frame's size, so frames larger than the canvas are rejected.
  const frame = readWebpHead(still.file);
  if (frame.width === 0 || frame.width > width || frame.height > height)
    return { outcome: "impossible", reason: "Damaged" };
  const framePixels = frame.width * frame.height;
  const memory = decodingMemory(framePixels, still.file.length, still.isLossless);
  const copiedBytes = (framePixels < pixels ? 4 * pixels : 0) + (still.file === bytes ? 0 : still.file.length);
  await growTo(lease, workBytes + bytes.length + memory.heldBytes + copiedBytes);
  // libwebp cannot pause, so other requests get their turns first.
  await new ThreadShare().yieldIfDue(webpBlockingMs(framePixels));
  const picture = await webpEngine.decode(still.file, memory.decoderBytes).catch((error) => {
    if (error instanceof EngineMemoryError) throw error;
    return undefined;
  });
  if (picture === undefined) return { outcome: "impossible", reason: "Damaged" };
  return {
    outcome: "pixels",
    pixels: upright(
      resizeDecoded(
        onCanvas(picture, { left: still.left, top: still.top, width, height }, CLEAR),
        storedWindow(choose, { width, height }, turn),
        isRough,
      ),
      turn,
    ),
    profile: readWebpProfile(bytes),
  };
}
