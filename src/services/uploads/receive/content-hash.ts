import { createHash, type Hash } from "node:crypto";
import type { MultipartPart } from "../../../multipart/read-multipart.ts";
import type { FileSource } from "./client-body.ts";

const ALGORITHM = "sha256";

/**
 * Identifies a request by its content: its description, then the name, file name and bytes of each part in order.
 * Boundaries, other headers and chunk sizes do not count. Memory does not grow with the body.
 */
export class ContentHash {
  readonly #parts: { readonly names: readonly string[]; readonly hash: Hash }[] = [];
  readonly #description: unknown;
  #isComplete = false;
  #digest: string | undefined;

  /** @param description JSON: facts of the request outside of its body */
  constructor(description: unknown) {
    this.#description = description;
  }

  /** Whether the last part was read to its end. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The parts of a form, hashed as they are read; skipped parts are hashed, too. */
  async *ofParts(parts: AsyncIterable<MultipartPart>): AsyncGenerator<MultipartPart, void, undefined> {
    for await (const part of parts) {
      const { name, filename } = part;
      const { read } = this.ofFile(part, filename === undefined ? [name] : [name, filename]);
      yield { name, filename, read };
      while ((await read()) !== undefined);
    }
  }

  /** A file, hashed as it is read. */
  ofFile(source: FileSource, names: readonly string[] = []): FileSource {
    const hash = createHash(ALGORITHM);
    this.#parts.push({ names, hash });
    const read = async () => {
      const bytes = await source.read();
      if (bytes !== undefined) hash.update(bytes);
      this.#isComplete = bytes === undefined;
      return bytes;
    };
    return { read };
  }

  /** The hash of everything read. Nothing may be read after it. @returns 64 hexadecimal digits */
  digest(): string {
    const parts = () => this.#parts.map(({ names, hash }) => [hash.digest("hex"), ...names]);
    this.#digest ??= createHash(ALGORITHM)
      .update(JSON.stringify([this.#description, parts()]))
      .digest("hex");
    return this.#digest;
  }
}
