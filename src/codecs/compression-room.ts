import { RpcTarget } from "cloudflare:workers";
import type { MediaType } from "../domain/media-types.ts";
import type { GrowingLease } from "../isolate/memory-budget.ts";
import { streamPieces } from "../isolate/stream-pieces.ts";
import { compressImage, maxHeldBytes } from "./compress-image.ts";
import { IncomingImage } from "./incoming-image.ts";
import { CodecsBusy, isolateMemory } from "./isolate-memory.ts";

/** An image that the API Worker wants to be compressed. */
export interface CompressionTask {
  readonly type: MediaType;
  readonly quality: number;
  readonly sizeBytes: number;
}

export type CompressionAnswer =
  | {
      readonly outcome: "compressed";
      readonly type: MediaType;
      readonly sizeBytes: number;
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
    { type, quality, sizeBytes }: CompressionTask,
    file: ReadableStream<Uint8Array>,
  ): Promise<CompressionAnswer> {
    const image = new IncomingImage(file, sizeBytes);
    const lease = isolateMemory.open(maxHeldBytes(type, sizeBytes, quality));
    try {
      const answer = await compressImage({ type, quality, image, lease });
      // A result keeps its share of memory until it has been sent.
      return answer.outcome === "compressed" ? toAnswer(answer, lease) : release(lease, answer);
    } catch (error) {
      lease.release();
      if (error instanceof CodecsBusy) return { outcome: "busy" };
      throw error;
    } finally {
      await image.cancel();
    }
  }
}

function release<Answer>(lease: GrowingLease, answer: Answer): Answer {
  lease.release();
  return answer;
}

function toAnswer(
  { type, pieces }: { readonly type: MediaType; readonly pieces: readonly Uint8Array[] },
  lease: GrowingLease,
): CompressionAnswer {
  const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  lease.shrinkTo(sizeBytes);
  return { outcome: "compressed", type, sizeBytes, body: streamPieces(pieces, () => lease.release()) };
}
