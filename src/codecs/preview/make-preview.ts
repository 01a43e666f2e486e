import type { MediaType } from "../../domain/media-types.ts";
import { CodecsBusy, isolateMemory } from "../isolate-memory.ts";
import { webpEngine } from "../webp-engine.ts";
import { previewImage } from "./preview-image.ts";
import { maxPreviewBytes } from "./preview-work.ts";
import { SourceFile } from "./source-file.ts";

const QUALITY = 70;
/** Of libwebp's 0 to 6. A preview is nearer to its picture than with the usual 4, by 18 % more bytes, and takes less than half of the time. */
const EFFORT = 1;

/** A stored image as the API Worker announces it. */
export interface PreviewTask {
  readonly type: MediaType;
  readonly sizeBytes: number;
}

/** What became of it. */
export type PreviewAnswer =
  | { readonly outcome: "made"; readonly webp: Uint8Array<ArrayBuffer> }
  /** There never will be one. */
  | { readonly outcome: "impossible"; readonly reason: string }
  /** The media processor may be able to do it. */
  | { readonly outcome: "too-large" }
  /** There was no memory for it in time. */
  | { readonly outcome: "busy" };

/**
 * An image's preview: a WebP of a tile's size, upright, without any metadata.
 * @param stream of the image's bytes, which is read as far as they are needed, and cancelled
 * @throws Error where the file cannot be read or an engine fails
 */
export async function makePreview(
  { type, sizeBytes }: PreviewTask,
  stream: ReadableStream<Uint8Array>,
): Promise<PreviewAnswer> {
  using lease = isolateMemory.open(maxPreviewBytes(sizeBytes));
  const file = new SourceFile(stream, sizeBytes);
  try {
    const preview = await previewImage({ type, file, lease });
    if (preview.outcome !== "pixels") return preview;
    const webp = await webpEngine.encode(preview.pixels, { quality: QUALITY, lossless: false, effort: EFFORT });
    return { outcome: "made", webp };
  } catch (error) {
    if (error instanceof CodecsBusy) return { outcome: "busy" };
    // An engine has ended at this file; another one may not.
    if (error instanceof WebAssembly.RuntimeError) return { outcome: "too-large" };
    throw error;
  } finally {
    await file.cancel();
  }
}
