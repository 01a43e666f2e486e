import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "./config.ts";
import type { Limiter } from "./limiter.ts";
import { Refusal } from "./refusal.ts";
import { receiveBody } from "./request-body.ts";
import { runChild } from "./run-child.ts";

const MAX_OUTCOME_BYTES = 4096;

/** The JSON that a job's process writes to standard output. */
export type ImageOutcome =
  | { contentType: string; width: number; height: number; sizeBytes: number; isFirstFrame?: boolean }
  /** A retry will have no result either. */
  | { reason: string };

/** A program that makes one image from another: the source is at descriptor 3, the result goes to descriptor 4 (`job-files.ts`). */
export interface ImageJob {
  /** The job's name as the subject of a sentence: "the compression". */
  name: string;
  script: string;
  args: readonly string[];
  timeoutSeconds: number;
  /** The default is twice the size of the largest source. */
  maxResultBytes?: number;
}

/** The limiters that a job waits for: first to work, then to send its result. */
export interface ImageTurns {
  working: Limiter;
  sending: Limiter;
}

/**
 * Answers with the image that a job makes from the request's body: its bytes, type, length, width and height, and whether it is the first
 * frame of an animation. Source and result are temporary files, so memory does not grow with them. The working turn ends before the answer is sent, because some clients read slowly or
 * not at all.
 * @throws Refusal 413 if the body is too large, 422 if there is no result, 503 if too many jobs wait or too many answers are unread, 504 if
 * the job takes too long
 */
export async function answerWithJob(
  job: ImageJob,
  { request, response, signal }: { request: IncomingMessage; response: ServerResponse; signal: AbortSignal },
  { working, sending }: ImageTurns,
  config: Config,
): Promise<void> {
  await using result = await openUnlinkedFile();
  const outcome = await working.run(signal, async () => {
    await using source = await openUnlinkedFile();
    await receiveBody(request, source, config.maxImageBytes);
    return runJob(job, [source, result], signal, config);
  });
  if ("reason" in outcome) throw new Refusal(422, outcome.reason);
  await sending.run(signal, async () => {
    response.writeHead(200, {
      "Content-Type": outcome.contentType,
      "Content-Length": outcome.sizeBytes,
      "Media-Width": outcome.width,
      "Media-Height": outcome.height,
      ...(outcome.isFirstFrame ? { "Media-Frame": "first" } : {}),
    });
    const timeout = AbortSignal.timeout(config.answerTimeoutSeconds * 1000);
    const body = result.createReadStream({ start: 0, autoClose: false });
    await pipeline(body, response, { signal: AbortSignal.any([signal, timeout]) });
  });
}

async function runJob(
  { name, script, args, timeoutSeconds, maxResultBytes }: ImageJob,
  files: readonly FileHandle[],
  signal: AbortSignal,
  config: Config,
): Promise<ImageOutcome> {
  const limits = {
    timeoutSeconds,
    cpuSeconds: 4 * timeoutSeconds,
    memoryBytes: config.childMemoryBytes,
    maxOutputBytes: MAX_OUTCOME_BYTES,
    maxFileBytes: maxResultBytes ?? 2 * config.maxImageBytes,
  };
  const descriptors = files.map((file) => file.fd);
  const result = await runChild([process.execPath, script, ...args], limits, signal, descriptors);
  if (result.stoppedBy === "timeout") throw new Refusal(504, `${name} took too long`);
  // The job crashed or ran out of memory. This image would end the next attempt as well.
  if (result.exitCode !== 0) {
    console.error(JSON.stringify({ event: `${name} failed`, log: result.log.slice(0, 2000) }));
    return { reason: `${name} could not be done within the limits` };
  }
  return JSON.parse(result.stdout.toString("utf8"));
}

/** A temporary file without a name. It is gone when its last handle closes, however this process ends. */
async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `media-processor-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}
