import { downloadZip } from "client-zip";
import { uniqueNames } from "../../../domain/unique-names.ts";
import type { OpenedFile } from "./open-file.ts";

interface ZippedFile {
  readonly name: string;
  readonly savedName: string | undefined;
  readonly sizeBytes: number;
}

export interface ZipCounts {
  /** The number of files in all parts until now. */
  files: number;
  bytes: number;
  /** Files that were deleted meanwhile. */
  gone: number;
  /** Names of files that are larger than a part. */
  readonly tooLarge: string[];
}

interface ZipSource<File extends ZippedFile> {
  readonly files: AsyncIterator<File>;
  open(file: File): Promise<OpenedFile | undefined>;
  onProgress(): void;
}

/** The next file is requested while one is being written. */
const AHEAD = 2;

/** Makes a zip of files while they arrive, so that few bytes are in memory; in several parts if a part has a limit. */
export class ZipParts<File extends ZippedFile> {
  readonly counts: ZipCounts = { files: 0, bytes: 0, gone: 0, tooLarge: [] };
  readonly #source: ZipSource<File>;
  readonly #maxBytes: number;
  readonly #freeName = uniqueNames();
  /** The first file of the next part. */
  #held: File | undefined;

  constructor(source: ZipSource<File>, maxBytes = Number.POSITIVE_INFINITY) {
    this.#source = source;
    this.#maxBytes = maxBytes;
  }

  /** Whether files are left when a part has been read. */
  get hasMore(): boolean {
    return this.#held !== undefined;
  }

  /** The next part. */
  next(): ReadableStream<Uint8Array> {
    const { body } = downloadZip(this.#entries());
    if (body === null) throw new Error("The zip has no body");
    return body;
  }

  async *#entries() {
    for await (const { file, opened } of ahead(this.#opened())) {
      const { savedName, name } = file;
      yield { name: this.#freeName(savedName ?? name), lastModified: opened.lastModified, input: this.#count(opened) };
      this.counts.files += 1;
      this.#source.onProgress();
    }
  }

  async *#opened(): AsyncGenerator<{ file: File; opened: OpenedFile }> {
    let bytes = 0;
    for (;;) {
      const file: File | undefined = this.#held ?? (await this.#source.files.next()).value;
      this.#held = undefined;
      if (file === undefined) return;
      if (file.sizeBytes > this.#maxBytes) {
        this.counts.tooLarge.push(file.name);
        continue;
      }
      if (bytes + file.sizeBytes > this.#maxBytes) {
        this.#held = file;
        return;
      }
      const opened = await this.#source.open(file);
      if (opened === undefined) this.counts.gone += 1;
      else {
        bytes += file.sizeBytes;
        yield { file, opened };
      }
    }
  }

  #count({ body }: OpenedFile): ReadableStream<Uint8Array> {
    const count = (chunk: Uint8Array) => {
      this.counts.bytes += chunk.byteLength;
      this.#source.onProgress();
    };
    return body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          count(chunk);
          controller.enqueue(chunk);
        },
      }),
    );
  }
}

/** Asks a generator for its next values while its reader works on the last one. */
async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const asked: Promise<IteratorResult<T>>[] = [];
  for (;;) {
    while (asked.length < AHEAD) {
      const next = source.next();
      // The error is thrown when the value is read.
      next.catch(() => undefined);
      asked.push(next);
    }
    const result = await asked.shift();
    if (result === undefined || result.done) return;
    yield result.value;
  }
}
