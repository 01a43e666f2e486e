import type { UploadResult } from "../../client/index.ts";
import type { Failure } from "./judge-failure.ts";
import type { Target } from "./upload-item.ts";

/** The result of one file of a request. */
export type FileOutcome = UploadResult | { readonly error: Failure };

export interface SendOptions {
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Called with the sent bytes of all files together. */
  readonly onProgress: (sentBytes: number) => void;
}

export interface SoughtFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly folderId: string | null;
  /** Milliseconds since 1970; the file cannot have been stored earlier. */
  readonly since: number;
}

/** The queue's connections to its environment; tests replace them. */
export interface Ports {
  /**
   * Sends one request.
   * @returns the files' results, in their order
   * @throws Failure if the whole request failed
   */
  send(files: readonly File[], target: Target, options: SendOptions): Promise<FileOutcome[]>;
  /** @returns the file of a lost response, unless its id is in `known` @throws Failure */
  lookUp(sought: SoughtFile, known: ReadonlySet<string>): Promise<UploadResult | undefined>;
  /** Deletes a file that was cancelled and then stored. */
  remove(id: string): Promise<void>;
  /** Has the service delete the parts of an unfinished large file. */
  discard(file: File, target: Target): Promise<void>;
  concurrency(): number;
  /** The account's storage limit in bytes; undefined if it is not known. */
  storageLimitBytes(): number | undefined;
  isOnline(): boolean;
  newKey(): string;
  /** Milliseconds since 1970. */
  now(): number;
  /** 0 to 1. */
  random(): number;
  /** @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
}
