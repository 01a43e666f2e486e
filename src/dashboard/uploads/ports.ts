import type { UploadResult } from "../../client/index.ts";
import type { Failure } from "./judge-failure.ts";
import type { Target } from "./upload-item.ts";

/** What became of one file of a request. */
export type FileOutcome = UploadResult | { readonly error: Failure };

export interface SendOptions {
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Told of the bytes of all files together. */
  readonly onProgress: (sentBytes: number) => void;
}

/** A file as it is looked for. */
export interface SoughtFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly folderId: string | null;
  /** Milliseconds since 1970: it was not stored before. */
  readonly since: number;
}

/** What the queue needs of the world; tests have another one. */
export interface Ports {
  /**
   * Sends one request.
   * @returns what became of each file, in their order
   * @throws Failure where the request failed as a whole
   */
  send(files: readonly File[], target: Target, options: SendOptions): Promise<FileOutcome[]>;
  /** @returns the file that a lost answer was about, unless its id is one of `known` @throws Failure */
  lookUp(sought: SoughtFile, known: ReadonlySet<string>): Promise<UploadResult | undefined>;
  /** Deletes a file that was stored although nobody wants it any more. */
  remove(id: string): Promise<void>;
  /** Has the service forget the pieces of a large file that did not come to its end. */
  discard(file: File, target: Target): Promise<void>;
  /** How many requests go at a time. */
  concurrency(): number;
  /** The account's whole storage in bytes; undefined where it is not known. */
  storageLimitBytes(): number | undefined;
  isOnline(): boolean;
  newKey(): string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Between 0 and 1. */
  random(): number;
  /** @returns what takes it back */
  after(milliseconds: number, run: () => void): () => void;
}
