import { createClient, MediaHostError, type UploadOutcome } from "../../client/index.ts";
import { noteAnswer } from "../api/note-answer.ts";
import type { FileOutcome, SendOptions } from "./ports.ts";
import type { Target } from "./upload-item.ts";

/** Files of at least this size go in pieces that a broken connection does not undo. */
const RESUMABLE_FROM_BYTES = 8 * 1024 * 1024;

/** A client that tries each call once: it is the queue that waits, and says why. The browser's older way of sending tells how far it is. */
const client = createClient({ baseUrl: location.origin, retries: 0, onAnswer: (answer) => noteAnswer(answer) });

/**
 * Sends one request.
 * @throws MediaHostError; the signal's reason
 */
export async function send(files: readonly File[], target: Target, options: SendOptions): Promise<FileOutcome[]> {
  const { idempotencyKey, signal, onProgress } = options;
  const [first, ...others] = files;
  if (first === undefined) return [];
  const all = {
    ...{ ...target, idempotencyKey, signal },
    onProgress: ({ sentBytes }: { readonly sentBytes: number }) => onProgress(sentBytes),
  };
  try {
    if (others.length > 0) return (await client.uploadTogether([first, ...others], all)).map(toOutcome);
    const resumable = { storage: localStorage, resumableFromBytes: RESUMABLE_FROM_BYTES };
    return [await client.upload(first, { ...all, ...resumable })];
  } catch (error) {
    // Browsers tell of a file that is not there any more as of a network that is away.
    if (error instanceof MediaHostError && error.statusCode === 0) await expectReadable(files);
    throw error;
  }
}

/** Has the service forget the pieces of a large file that did not come to its end. */
export async function discard(file: File, target: Target): Promise<void> {
  if (file.size >= RESUMABLE_FROM_BYTES) await client.discard(file, { ...target, storage: localStorage });
}

function toOutcome(outcome: UploadOutcome): FileOutcome {
  return "url" in outcome ? outcome : { error: outcome.error };
}

/** @throws MediaHostError 400 where a file cannot be read: it was moved, changed or deleted since it was chosen */
async function expectReadable(files: readonly File[]): Promise<void> {
  for (const file of files) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch (cause) {
      throw new MediaHostError(`${file.name} was changed or moved. Choose it again.`, { statusCode: 400, cause });
    }
  }
}
