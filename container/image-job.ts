import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Config } from "./config.ts";
import type { Limiter } from "./limiter.ts";
import { Refusal } from "./refusal.ts";
import { receiveBody } from "./request-body.ts";
import { runChild } from "./run-child.ts";
import { openUnlinkedFile } from "./unlinked-file.ts";

const MAX_OUTCOME_BYTES = 4096;

/** What a job's process says on its standard output, as JSON. */
export type ImageOutcome =
  | { contentType: "image/webp"; width: number; height: number; sizeBytes: number }
  /** There is no result, and never will be. */
  | { reason: string };

/** A program that makes one image of another: the source at descriptor 3, the result to descriptor 4 (`job-files.ts`). */
export interface ImageJob {
  /** What it does, in a sentence's beginning: "the compression". */
  name: string;
  script: string;
  args: readonly string[];
  timeoutSeconds: number;
}

/** Whose turn it is. */
export interface ImageTurns {
  /** To work. */
  working: Limiter;
  /** To be sent. */
  sending: Limiter;
}

/**
 * Answers with what a job makes of the request's body: its bytes, type, length, width and height. Source and result lie in temporary files,
 * so memory does not grow with them here. The turn to work is over before the answer is sent, as some read slowly or not at all.
 * @throws Refusal 413 for a body that is too large, 422 where there is no result, 503 where too many wait for their turn or too many
 * answers are not read yet, 504 when it takes too long
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
    });
    const timeout = AbortSignal.timeout(config.answerTimeoutSeconds * 1000);
    const body = result.createReadStream({ start: 0, autoClose: false });
    await pipeline(body, response, { signal: AbortSignal.any([signal, timeout]) });
  });
}

async function runJob(
  { name, script, args, timeoutSeconds }: ImageJob,
  files: readonly FileHandle[],
  signal: AbortSignal,
  config: Config,
): Promise<ImageOutcome> {
  const limits = {
    timeoutSeconds,
    cpuSeconds: 4 * timeoutSeconds,
    memoryBytes: config.childMemoryBytes,
    maxOutputBytes: MAX_OUTCOME_BYTES,
    maxFileBytes: 2 * config.maxImageBytes,
  };
  const descriptors = files.map((file) => file.fd);
  const result = await runChild([process.execPath, script, ...args], limits, signal, descriptors);
  if (result.stoppedBy === "timeout") throw new Refusal(504, `${name} took too long`);
  // A crash, or memory that ran out: this image would end the next attempt as well.
  if (result.exitCode !== 0) {
    console.error(JSON.stringify({ event: `${name} failed`, log: result.log.slice(0, 2000) }));
    return { reason: `${name} could not be done within the limits` };
  }
  return JSON.parse(result.stdout.toString("utf8"));
}
