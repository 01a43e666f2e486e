import type { Connection } from "./connection.ts";
import { MediaHostError } from "./media-host-error.ts";
import { nameOf } from "./name-of.ts";
import type { UploadStream } from "./open-stream.ts";
import { sendForm } from "./send-form.ts";
import { sendResumable } from "./send-resumable.ts";
import type { UploadResult } from "./types.ts";
import type { UploadOptions, UploadProgress, UploadSource } from "./upload-options.ts";

/** Larger files are sent in pieces by default. */
const RESUMABLE_FROM_BYTES = 20 * 1024 * 1024;

/**
 * Uploads one file: as a form, or in pieces that resume if it is large.
 * @throws TypeError for a source that cannot be uploaded, before anything is sent; MediaHostError; the signal's reason; a stream's
 * error
 */
export async function upload(
  connection: Connection,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<UploadResult> {
  options.signal?.throwIfAborted();
  expectUploadable(source);
  if (isStream(source)) return uploadStream(connection, source, options);
  const { resumableFromBytes = RESUMABLE_FROM_BYTES } = options;
  const file = isBytes(source) ? new Blob([source as ArrayBuffer]) : source;
  if (file instanceof Blob && file.size > 0 && file.size >= resumableFromBytes) {
    return sendResumable(connection, file, options);
  }
  return sendForm(connection, [file], options);
}

/** A short stream is sent as a form. */
async function uploadStream(connection: Connection, stream: UploadStream, options: UploadOptions) {
  const { openStream } = await import("./open-stream.ts");
  const file = openStream(stream, options.signal);
  const named = { ...options, name: nameOf(stream as object, options.name) };
  try {
    const first = await file.read(0);
    if (file.size === undefined) return await sendResumable(connection, file, named);
    return await upload(connection, first, named);
  } finally {
    file.close();
  }
}

function isStream(source: object): source is UploadStream {
  return "getReader" in source || Symbol.asyncIterator in source;
}

function isBytes(source: object): source is ArrayBuffer | ArrayBufferView {
  return source instanceof ArrayBuffer || ArrayBuffer.isView(source);
}

/** @throws TypeError that names the accepted sources */
function expectUploadable(source: UploadSource): void {
  const isObject = Object(source) === source;
  if (isObject && (source instanceof Blob || isBytes(source) || isStream(source) || "uri" in source)) return;
  throw new TypeError(
    `Pass a File, a Blob, bytes or a stream, not ${(source as object | undefined)?.constructor?.name}. ` +
      "In Node: openFile(path) of edge-media-host-client/node",
  );
}

export interface UploadAllOptions extends Omit<UploadOptions, "name" | "onProgress" | "idempotencyKey"> {
  /** Number of files sent at once; 3 by default. */
  readonly concurrency?: number;
  readonly onProgress?: (file: UploadSource, progress: UploadProgress) => void;
  /** Receives each file's outcome when it is done. */
  readonly onResult?: (result: UploadOutcome) => void;
}

export type UploadOutcome = UploadResult | { readonly file: UploadSource; readonly error: MediaHostError };

/**
 * Uploads files, each in its own request. A failed file does not affect the others.
 * @returns an outcome for each file, in order
 * @throws TypeError for a source that cannot be uploaded, before anything is sent; the signal's reason
 */
export async function uploadAll(
  connection: Connection,
  files: Iterable<UploadSource>,
  { concurrency = 3, onProgress, onResult, ...options }: UploadAllOptions = {},
): Promise<UploadOutcome[]> {
  const outcomes: UploadOutcome[] = [];
  const sources = [...files];
  for (const source of sources) expectUploadable(source);
  const entries = sources.entries();
  const work = async () => {
    for (const [at, file] of entries) {
      const each = onProgress && { onProgress: (progress: UploadProgress) => onProgress(file, progress) };
      const outcome = await upload(connection, file, { ...options, ...each }).catch((error: unknown) => {
        options.signal?.throwIfAborted();
        if (error instanceof MediaHostError) return { file, error };
        return { file, error: new MediaHostError(String(error), { statusCode: 0, cause: error }) };
      });
      outcomes[at] = outcome;
      onResult?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return outcomes;
}
