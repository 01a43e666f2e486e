import { createClient, MediaHostError, type UploadOutcome } from "../../client/index.ts";
import { noteAnswer } from "../api/note-answer.ts";
import { readSession } from "../api/session-store.ts";
import { isolate } from "../design/format.ts";
import type { FileOutcome, SendOptions } from "./ports.ts";
import type { Target } from "./upload-item.ts";

/** Files of at least this size are sent in parts, so that a broken connection can resume. */
const RESUMABLE_FROM_BYTES = 8 * 1024 * 1024;

/** This client does not retry, because the queue waits and shows the reason. It uses XMLHttpRequest, which reports upload progress. */
const client = createClient({ baseUrl: location.origin, retries: 0, onAnswer: (answer) => noteAnswer(answer) });

/**
 * Sends one request.
 * @throws MediaHostError; the signal's reason
 */
export async function send(files: readonly File[], target: Target, options: SendOptions): Promise<FileOutcome[]> {
  const { idempotencyKey, signal, onProgress } = options;
  const [first, ...others] = files;
  if (first === undefined) return [];
  if (readSession() === "other") throw new MediaHostError("Another account has logged in", { statusCode: 401 });
  const all = {
    dedupe: true,
    ...target,
    idempotencyKey,
    signal,
    onProgress: ({ sentBytes }: { readonly sentBytes: number }) => onProgress(sentBytes),
  };
  try {
    if (others.length > 0) return (await client.uploadTogether([first, ...others], all)).map(toOutcome);
    const resumable = { storage: localStorage, resumableFromBytes: RESUMABLE_FROM_BYTES };
    return [await client.upload(first, { ...all, ...resumable })];
  } catch (error) {
    // Browsers report a missing file and a missing network with the same error.
    if (error instanceof MediaHostError && error.statusCode === 0) await expectReadable(files);
    throw error;
  }
}

/** Has the service delete the parts of an unfinished large file. */
export async function discard(file: File, target: Target): Promise<void> {
  if (file.size >= RESUMABLE_FROM_BYTES) await client.discard(file, { dedupe: true, ...target, storage: localStorage });
}

function toOutcome(outcome: UploadOutcome): FileOutcome {
  return "url" in outcome ? outcome : { error: outcome.error };
}

/** @throws MediaHostError 400 if a file cannot be read, because it was moved, changed or deleted */
async function expectReadable(files: readonly File[]): Promise<void> {
  for (const file of files) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch (cause) {
      throw new MediaHostError(`${isolate(file.name)} was changed or moved. Choose it again.`, {
        statusCode: 400,
        cause,
      });
    }
  }
}
