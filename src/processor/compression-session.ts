import type { PlaceholderAnswer } from "../codecs/make-placeholder.ts";
import type { Codecs } from "../codecs/worker.ts";
import {
  type CompressedImage,
  type ImageToCompress,
  isCompressible,
  type KeptReason,
  MAX_COMPRESSIBLE_BYTES,
} from "./compression.ts";
import type { SourceImage } from "./source-image.ts";

/** The service binding to the Codec Worker. */
export type CodecsBinding = Service<typeof Codecs>;

type Room = Awaited<ReturnType<CodecsBinding["open"]>>;

/**
 * The number of times that a broken session is opened again. It is not opened for each of fifty images, because the platform allows a
 * request 32 invocations.
 */
const MAX_OPENINGS = 4;

/** One request's compressions. Dispose it when all results were read or cancelled. */
export class CompressionSession implements Disposable {
  readonly #codecs: CodecsBinding;
  readonly #compressInContainer: (image: ImageToCompress) => Promise<CompressedImage | undefined>;
  readonly #noteKept: (reason: KeptReason) => void;
  #room: Promise<Room> | undefined;
  #openings = 0;

  /** The session opens with the first image. @param noteKept is called for each image that stays as it is */
  constructor(
    codecs: CodecsBinding,
    compressInContainer: (image: ImageToCompress) => Promise<CompressedImage | undefined>,
    noteKept: (reason: KeptReason) => void = () => {},
  ) {
    this.#codecs = codecs;
    this.#compressInContainer = compressInContainer;
    this.#noteKept = noteKept;
  }

  /**
   * Compresses an image in the Codec Worker, or in the Container if it is too large for an isolate. No image bytes are held here. Width and
   * height never change.
   * @returns undefined if the original stays: it is the better file, or too large to be compressed
   * @throws Error if it cannot be done now: the Codec Worker is busy, the Container cannot be reached, a codec failed, or the image's
   * stream broke off
   */
  async compress(image: ImageToCompress): Promise<CompressedImage | undefined> {
    const { type, quality, sizeBytes, wantsPlaceholder = false } = image;
    if (!isCompressible(type)) return undefined;
    if (sizeBytes > MAX_COMPRESSIBLE_BYTES) return this.#keep("too-large");
    return this.#inRoom(async (room) => {
      using answer = await room.compress({ type, quality, sizeBytes, wantsPlaceholder }, await openExactly(image));
      switch (answer.outcome) {
        case "compressed":
          return {
            type: answer.type,
            sizeBytes: answer.sizeBytes,
            body: answer.body,
            ...(answer.placeholder === undefined ? {} : { placeholder: answer.placeholder }),
          };
        case "kept":
          return this.#keep(toKeptReason(answer.reason));
        case "too-large":
          return (await this.#compressInContainer(image)) ?? this.#keep("declined");
        case "busy":
          throw new Error("The Codec Worker has no memory to spare");
      }
    });
  }

  /**
   * Makes an image's placeholder in the Codec Worker. It does not wait for memory.
   * @throws Error if the Codec Worker cannot be reached, an engine failed, or the image's stream broke off
   */
  placeholder(image: SourceImage): Promise<PlaceholderAnswer> {
    const { type, sizeBytes } = image;
    return this.#inRoom(async (room) =>
      room.placeholder({ type, sizeBytes, mayWait: false }, await openExactly(image)),
    );
  }

  async #inRoom<Answer>(work: (room: Room) => Promise<Answer>): Promise<Answer> {
    const room = this.#enterRoom();
    try {
      return await work(await room);
    } catch (error) {
      // The isolate may have ended, and then every later call would fail, too.
      if (this.#room === room && this.#openings < MAX_OPENINGS) this.#leaveRoom();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#leaveRoom();
  }

  #keep(reason: KeptReason): undefined {
    this.#noteKept(reason);
    return undefined;
  }

  #enterRoom(): Promise<Room> {
    if (this.#room === undefined) {
      this.#openings += 1;
      this.#room = Promise.resolve(this.#codecs.open());
    }
    return this.#room;
  }

  #leaveRoom(): void {
    // A session that failed to open needs no disposal, and its callers got the error.
    this.#room?.then((room) => room[Symbol.dispose]()).catch(() => undefined);
    this.#room = undefined;
  }
}

/** The image as a platform stream, because RPC carries no others. It fails if it has fewer or more bytes. */
export async function openExactly(image: SourceImage): Promise<ReadableStream<Uint8Array>> {
  return (await image.open()).pipeThrough(new FixedLengthStream(image.sizeBytes));
}

const KEPT_REASONS: Readonly<Record<string, KeptReason>> = {
  "Nothing to be saved": "nothing-to-save",
  Animated: "animated",
  Damaged: "damaged",
  "Too large": "too-large",
};

/** The codecs have some forty reasons, most of them for kinds of JPEGs. */
function toKeptReason(reason: string): KeptReason {
  return KEPT_REASONS[reason] ?? "declined";
}
