import type { MediaType } from "../../domain/media-types.ts";
import type { GrowingLease } from "../../isolate/memory-budget.ts";
import { EngineMemoryError } from "../../media/webp/memory-bound.ts";
import { CodecsBusy, isolateMemory } from "../isolate-memory.ts";
import { maxPictureBytes } from "./picture-work.ts";
import { SourceFile } from "./source-file.ts";

/** `too-large`: for the media processor. `busy`: no memory was free in time. */
type NotMade = { readonly outcome: "too-large" } | { readonly outcome: "busy" };

/**
 * Works on a stored image with a share of the isolate's memory.
 * @param stream the image's bytes; it is read as far as needed, then cancelled
 * @param mostWorkBytes the most memory besides the file and its engine
 * @throws Error if the file cannot be read or an engine fails
 */
export async function workOn<Answer>(
  stream: ReadableStream<Uint8Array>,
  {
    type,
    sizeBytes,
    mostWorkBytes,
  }: { readonly type: MediaType; readonly sizeBytes: number; readonly mostWorkBytes: number },
  work: (file: SourceFile, lease: GrowingLease) => Promise<Answer>,
): Promise<Answer | NotMade> {
  using lease = isolateMemory.open(maxPictureBytes(type, sizeBytes, mostWorkBytes));
  const file = new SourceFile(stream, sizeBytes);
  try {
    return await work(file, lease);
  } catch (error) {
    if (error instanceof CodecsBusy) return { outcome: "busy" };
    if (error instanceof EngineMemoryError) return { outcome: "too-large" };
    // An engine crashed on this file. The Container's engine may not.
    if (error instanceof WebAssembly.RuntimeError) return { outcome: "too-large" };
    throw error;
  } finally {
    await file.cancel();
  }
}
