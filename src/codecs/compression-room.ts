import { RpcTarget } from "cloudflare:workers";
import type { MediaType } from "../domain/media-types.ts";
import type { GrowingLease } from "../isolate/memory-budget.ts";
import { streamPieces } from "../isolate/stream-pieces.ts";
import { compressImage, maxHeldBytes } from "./compress-image.ts";
import { IncomingImage } from "./incoming-image.ts";
import { CodecsBusy, isolateMemory } from "./isolate-memory.ts";

/** An image as the API Worker announces it. */
export interface CompressionTask {
  readonly type: MediaType;
  /** 50 to 100. */
  readonly quality: number;
  readonly sizeBytes: number;
}

/** What became of it. */
export type CompressionAnswer =
  | {
      readonly outcome: "compressed";
      readonly type: MediaType;
      readonly sizeBytes: number;
      /** Of exactly `sizeBytes`; to be read to its end or cancelled. */
      readonly body: ReadableStream<Uint8Array>;
    }
  /** The original is the better file. */
  | { readonly outcome: "kept"; readonly reason: string }
  /** The Container may be able to do it. */
  | { readonly outcome: "too-large" }
  /** There was no memory for it in time. */
  | { readonly outcome: "busy" };

/** One request's session with the Codec Worker, called once for each of its images, also at the same time. */
export class CompressionRoom extends RpcTarget {
  /**
   * @param file a byte stream of exactly `sizeBytes`; it is cancelled where the answer is known before its end
   * @throws Error where the stream breaks off or a codec fails
   */
  async compress(
    { type, quality, sizeBytes }: CompressionTask,
    file: ReadableStream<Uint8Array>,
  ): Promise<CompressionAnswer> {
    const image = new IncomingImage(file, sizeBytes);
    const lease = isolateMemory.open(maxHeldBytes(type, sizeBytes));
    try {
      const answer = await compressImage({ type, quality, image, lease });
      // What was compressed keeps its share until it was sent.
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
