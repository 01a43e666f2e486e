import type { MediaType } from "../domain/media-types.ts";

/** An image that somebody is to work on. */
export interface SourceImage {
  readonly type: MediaType;
  readonly sizeBytes: number;
  /** Opens the image's bytes from the first one; it may be called a second time. @throws Error where they cannot be read */
  open(): Promise<ReadableStream<Uint8Array>>;
}

/** The image as a stream of the platform's own, as RPC carries no others; it fails where it brings fewer or more bytes. */
export async function openExactly(image: SourceImage): Promise<ReadableStream<Uint8Array>> {
  return (await image.open()).pipeThrough(new FixedLengthStream(image.sizeBytes));
}
