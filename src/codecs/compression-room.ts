import { RpcTarget } from "cloudflare:workers";
import type { MediaType } from "../domain/media-types.ts";
import type { Placeholder } from "../domain/placeholder.ts";
import type { GrowingLease } from "../isolate/memory-budget.ts";
import { streamPieces } from "../isolate/stream-pieces.ts";
import { compressImage, maxHeldBytes } from "./compress-image.ts";
import { IncomingImage } from "./incoming-image.ts";
import { CodecsBusy, isolateMemory } from "./isolate-memory.ts";
import { makePlaceholder, type PlaceholderAnswer, type PlaceholderTask } from "./make-placeholder.ts";

/** An image that the API Worker wants to be compressed. */
export interface CompressionTask {
  readonly type: MediaType;
  readonly quality: number;
  readonly sizeBytes: number;
  /** Whether the placeholder is wanted, too, if the compression reads the picture anyhow. */
  readonly wantsPlaceholder?: boolean;
}

export type CompressionAnswer =
  | {
      readonly outcome: "compressed";
      readonly type: MediaType;
      readonly sizeBytes: number;
      readonly placeholder: Placeholder | undefined;
      /** A stream of exactly `sizeBytes`. The caller reads it to its end or cancels it. */
      readonly body: ReadableStream<Uint8Array>;
    }
  /** The original stays. */
  | { readonly outcome: "kept"; readonly reason: string }
  /** The Container may be able to compress the image. */
  | { readonly outcome: "too-large" }
  /** No memory was free in time. */
  | { readonly outcome: "busy" };

/** One request's session with the Codec Worker. It is called once for each image; calls may overlap. */
export class CompressionRoom extends RpcTarget {
  /**
   * @param file a byte stream of exactly `sizeBytes`; it is cancelled if the answer is known before its end
   * @throws Error if the stream breaks off or a codec fails
   */
  async compress(
    { type, quality, sizeBytes, wantsPlaceholder }: CompressionTask,
    file: ReadableStream<Uint8Array>,
  ): Promise<CompressionAnswer> {
    const image = new IncomingImage(file, sizeBytes);
    const lease = isolateMemory.open(maxHeldBytes(type, sizeBytes, quality));
    try {
      let placeholder: Placeholder | undefined;
      const takePlaceholder = (made: Placeholder) => {
        placeholder = made;
      };
      const taking = wantsPlaceholder ? { takePlaceholder } : {};
      const answer = await compressImage({ type, quality, image, lease, ...taking });
      // A result keeps its share of memory until it has been sent.
      return answer.outcome === "compressed" ? { ...toAnswer(answer, lease), placeholder } : release(lease, answer);
    } catch (error) {
      lease.release();
      if (error instanceof CodecsBusy) return { outcome: "busy" };
      throw error;
    } finally {
      await image.cancel();
    }
  }

  /**
   * Makes an image's placeholder.
   * @param file a byte stream of exactly `sizeBytes`; only the needed bytes are read
   * @throws Error if the stream breaks off or an engine fails
   */
  placeholder(task: PlaceholderTask, file: ReadableStream<Uint8Array>): Promise<PlaceholderAnswer> {
    return makePlaceholder(task, file);
  }
}

function release<Answer>(lease: GrowingLease, answer: Answer): Answer {
  lease.release();
  return answer;
}

function toAnswer(
  { type, pieces }: { readonly type: MediaType; readonly pieces: readonly Uint8Array[] },
  lease: GrowingLease,
) {
  const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  lease.shrinkTo(sizeBytes);
  return { outcome: "compressed" as const, type, sizeBytes, body: streamPieces(pieces, () => lease.release()) };
}
