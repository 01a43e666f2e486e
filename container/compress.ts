import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { CompressOutcome } from "./compress-job.ts";
import type { Config } from "./config.ts";
import type { Limiter } from "./limiter.ts";
import { Refusal } from "./refusal.ts";
import { receiveBody } from "./request-body.ts";
import { runChild } from "./run-child.ts";
import { openUnlinkedFile } from "./unlinked-file.ts";

const JOB = fileURLToPath(new URL("compress-job.ts", import.meta.url));
/** All other images are compressed in the Codec Worker, whatever their size. */
const TYPE = "image/webp";
const MAX_OUTCOME_BYTES = 4096;

export interface CompressRequest {
  quality: number;
}

/** @throws Refusal 400 for a query that is not `type=image/webp` and `quality` (a whole number from 1 to 100) */
export function readCompressRequest(query: URLSearchParams): CompressRequest {
  const quality = query.get("quality") ?? "";
  if (query.get("type") !== TYPE) throw new Refusal(400, `type must be ${TYPE}`);
  if (!/^([1-9]\d?|100)$/.test(quality)) throw new Refusal(400, "quality must be a whole number from 1 to 100");
  return { quality: Number(quality) };
}

/** Whose turn it is. */
export interface CompressTurns {
  /** To compress. */
  working: Limiter;
  /** To be sent. */
  sending: Limiter;
}

/**
 * Answers with the compressed body of the request, its type, length, width and height. Source and result lie in temporary files, so
 * memory does not grow with them here. The turn to compress is over before the answer is sent, as some read slowly or not at all.
 * @throws Refusal 413 for a body that is too large, 422 where the image has to be kept as it is, 503 where too many wait for their
 * turn or too many answers are not read yet, 504 when it takes too long
 */
export async function compress(
  task: CompressRequest,
  { request, response, signal }: { request: IncomingMessage; response: ServerResponse; signal: AbortSignal },
  { working, sending }: CompressTurns,
  config: Config,
): Promise<void> {
  await using result = await openUnlinkedFile();
  const outcome = await working.run(signal, async () => {
    await using source = await openUnlinkedFile();
    await receiveBody(request, source, config.maxImageBytes);
    return runJob(task, [source, result], signal, config);
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
  { quality }: CompressRequest,
  files: readonly FileHandle[],
  signal: AbortSignal,
  config: Config,
): Promise<CompressOutcome> {
  const limits = {
    timeoutSeconds: config.compressTimeoutSeconds,
    cpuSeconds: 4 * config.compressTimeoutSeconds,
    memoryBytes: config.childMemoryBytes,
    maxOutputBytes: MAX_OUTCOME_BYTES,
    maxFileBytes: 2 * config.maxImageBytes,
  };
  const result = await runChild(
    [process.execPath, JOB, String(quality), String(config.maxImagePixels)],
    limits,
    signal,
    files.map((file) => file.fd),
  );
  if (result.stoppedBy === "timeout") throw new Refusal(504, "the compression took too long");
  // A crash, or memory that ran out: this image would end the next attempt as well.
  if (result.exitCode !== 0) {
    console.error(JSON.stringify({ event: "compression failed", log: result.log.slice(0, 2000) }));
    return { reason: "the image could not be compressed within the limits" };
  }
  return JSON.parse(result.stdout.toString("utf8"));
}
