import type { MediaType } from "../domain/media-types.ts";

/** An image to be worked on. */
export interface SourceImage {
  readonly type: MediaType;
  readonly sizeBytes: number;
  /** Opens the image's bytes from the first one; it may be called a second time. @throws Error if they cannot be read */
  open(): Promise<ReadableStream<Uint8Array>>;
}

/** The image as a platform stream, because RPC carries no others. It fails if it has fewer or more bytes. */
export async function openExactly(image: SourceImage): Promise<ReadableStream<Uint8Array>> {
  return (await image.open()).pipeThrough(new FixedLengthStream(image.sizeBytes));
}

/** Bytes as a platform stream. */
export function streamBytes(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream();
}
