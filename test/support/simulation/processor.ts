import type { MediaProcessor } from "../../../src/processor/media-processor.ts";
import { readAll, streamOf } from "./bucket.ts";
import type { Party, Scheduler } from "./scheduler.ts";

/** Placeholders are no concern of the simulated stores. */
const PLACEHOLDER = { thumbHash: "", dominantColor: null };

const failure = () => new Error("The media processor answered 503");

/** Every third image does not get smaller by compression, and every fifth video has no frame. The last byte of a file decides. */
const KEPT_EVERY = 3;
const IMPOSSIBLE_EVERY = 5;

/** The compressed form of an image; undefined if the original is smaller. */
export function compressedForm(bytes: Uint8Array): Uint8Array | undefined {
  return lastByte(bytes) % KEPT_EVERY === 0 ? undefined : bytes.slice(Math.ceil(bytes.length / 2));
}

function hasThumbnail(objectKey: string): boolean {
  return numberOf(objectKey) % IMPOSSIBLE_EVERY !== 0;
}

function thumbnailBytes(objectKey: string): number {
  return 20 + ((numberOf(objectKey) * 37) % 200);
}

/** The access of one party to the Codec Worker and the Container. Both fail like stores. */
export function openProcessor(party: Party, scheduler: Scheduler): MediaProcessor {
  const simulated = {
    openCompression: () => ({
      async compress(image: { type: string; open(): Promise<ReadableStream<Uint8Array>> }) {
        const bytes = await readAll(await image.open());
        const type = image.type === "image/gif" ? "image/png" : image.type;
        const result = await scheduler.call(
          party,
          () => "compress",
          failure,
          () => compressedForm(bytes),
        );
        return result && { type, sizeBytes: result.length, body: streamOf(result) };
      },
      placeholder: async () => ({ outcome: "made", placeholder: PLACEHOLDER }),
      [Symbol.dispose]: () => undefined,
    }),
    placeholder: async () => ({ outcome: "made", placeholder: PLACEHOLDER }),
    placeholderOf: async () => ({ outcome: "made", placeholder: PLACEHOLDER }),
    thumbnail: ({ objectKey }: { objectKey: string }) =>
      scheduler.call(
        party,
        () => "thumbnail",
        failure,
        () =>
          hasThumbnail(objectKey)
            ? {
                outcome: "made",
                jpeg: new Uint8Array(thumbnailBytes(objectKey)).fill(7),
                facts: { width: 640, height: 360, durationMs: 1000 },
              }
            : { outcome: "impossible", reason: "There is no frame" },
      ),
  };
  return simulated as unknown as MediaProcessor;
}

/** The number of a simulated file, which its name ends with: `<upload>-f<number>.<type>`. */
function numberOf(objectKey: string): number {
  return Number(/-f(\d+)\.\w+$/.exec(objectKey)?.[1] ?? 0);
}

function lastByte(bytes: Uint8Array): number {
  return bytes.at(-1) ?? 0;
}
