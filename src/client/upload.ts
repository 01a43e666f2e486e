import type { CallOptions, Connection } from "./connection.ts";
import { MediaHostError } from "./media-host-error.ts";
import { sendForm } from "./send-form.ts";
import { sendResumable, type UploadStorage } from "./send-resumable.ts";
import type { UploadResult } from "./types.ts";

/** Files above are sent in pieces that a broken connection does not undo, where nothing else is asked for. */
const RESUMABLE_FROM_BYTES = 20 * 1024 * 1024;

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** A file of React Native, which reads it itself. */
export interface NativeFile {
  readonly uri: string;
  readonly name: string;
  readonly type: string;
}

/** A `File`, or a `Blob` with a name in the options. Node: `openFile` of `./node`. */
export type UploadSource = Blob | NativeFile;

export interface UploadOptions extends CallOptions {
  /** A folder's id; without it, Root. */
  readonly folderId?: string | null;
  readonly tags?: readonly string[];
  /** Where it is not the file's own. */
  readonly name?: string;
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Where it is remembered how to go on with a large file, such as `localStorage`: the same call goes on after a reload. */
  readonly storage?: UploadStorage;
  /** What a form is known by when it is sent again: where the caller tries again itself. At most 128 characters of a UUID's kind. */
  readonly idempotencyKey?: string;
  /** Files of at least this size are sent in pieces; 20 MiB where it is not given. */
  readonly resumableFromBytes?: number;
}

/**
 * Uploads one file: as a form or, where it is large, in pieces that go on where they broke off.
 * @throws MediaHostError; the signal's reason where it was aborted
 */
export async function upload(
  connection: Connection,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<UploadResult> {
  options.signal?.throwIfAborted();
  const { resumableFromBytes = RESUMABLE_FROM_BYTES } = options;
  if (source instanceof Blob && source.size > 0 && source.size >= resumableFromBytes) {
    return sendResumable(connection, source, options);
  }
  return sendForm(connection, [source], options);
}

export interface UploadAllOptions extends Omit<UploadOptions, "name" | "onProgress" | "idempotencyKey"> {
  /** How many files are sent at once; 3 where it is not given. */
  readonly concurrency?: number;
  readonly onProgress?: (file: UploadSource, progress: UploadProgress) => void;
  /** Told of each file when it is done. */
  readonly onResult?: (result: UploadOutcome) => void;
}

export type UploadOutcome = UploadResult | { readonly file: UploadSource; readonly error: MediaHostError };

/**
 * Uploads files, each by itself: one that fails takes none of the others with it.
 * @returns what became of each, in their order
 * @throws the signal's reason where it was aborted
 */
export async function uploadAll(
  connection: Connection,
  files: Iterable<UploadSource>,
  { concurrency = 3, onProgress, onResult, ...options }: UploadAllOptions = {},
): Promise<UploadOutcome[]> {
  const outcomes: UploadOutcome[] = [];
  const entries = [...files].entries();
  const work = async () => {
    for (const [at, file] of entries) {
      const each = onProgress && { onProgress: (progress: UploadProgress) => onProgress(file, progress) };
      const outcome = await upload(connection, file, { ...options, ...each }).catch((error: unknown) => {
        if (error instanceof MediaHostError) return { file, error };
        throw error;
      });
      outcomes[at] = outcome;
      onResult?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return outcomes;
}
