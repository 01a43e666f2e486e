import type { MediaType } from "../domain/media-types.ts";
import { type Placeholder, placeholderSize } from "../domain/placeholder.ts";
import { toPlaceholder } from "../media/placeholder/to-placeholder.ts";
import { wholeWindow } from "../media/resample/window.ts";
import { withoutWaiting } from "./isolate-memory.ts";
import { readPicture } from "./picture/read-picture.ts";
import { workOn } from "./picture/work-on.ts";

/** Memory for rows and the few pixels of a placeholder. */
const WORK_BYTES = 8 * 1024 * 1024;

/** An image that the API Worker wants a placeholder of. */
export interface PlaceholderTask {
  readonly type: MediaType;
  readonly sizeBytes: number;
  /** Whether the work may wait for memory. */
  readonly mayWait: boolean;
}

export type PlaceholderAnswer =
  | { readonly outcome: "made"; readonly placeholder: Placeholder }
  /** There will never be a placeholder. */
  | { readonly outcome: "impossible"; readonly reason: string }
  /** The media processor may be able to read the image. */
  | { readonly outcome: "too-large" }
  /** No memory was free in time. */
  | { readonly outcome: "busy" };

/**
 * Makes an image's placeholder from as few of its bytes and coefficients as give enough pixels.
 * @param stream the image's bytes; it is read as far as needed, then cancelled
 * @throws Error if the file cannot be read or an engine fails
 */
export async function makePlaceholder(
  { type, sizeBytes, mayWait }: PlaceholderTask,
  stream: ReadableStream<Uint8Array>,
): Promise<PlaceholderAnswer> {
  return workOn(stream, { type, sizeBytes, mostWorkBytes: WORK_BYTES }, async (file, lease) => {
    const picture = await readPicture({
      type,
      file,
      workBytes: WORK_BYTES,
      isRough: true,
      lease: mayWait ? lease : withoutWaiting(lease),
      choose: (upright) => wholeWindow(upright, placeholderSize(upright)),
    });
    if (picture.outcome === "planes") throw new Error("A placeholder is made of pixels");
    if (picture.outcome !== "pixels") return picture;
    return { outcome: "made", placeholder: toPlaceholder(picture.pixels) };
  });
}
