import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import type { Config } from "./config.ts";
import { answerWithJob, type ImageTurns } from "./image-job.ts";
import { Refusal } from "./refusal.ts";

const JOB = fileURLToPath(new URL("compress-job.ts", import.meta.url));
/** The Codec Worker compresses all other images, of any size. */
const TYPE = "image/webp";

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

/**
 * Answers with the compressed body of the request, its type, length, width and height.
 * @throws Refusal like `answerWithJob`: 422 if the image must stay as it is
 */
export function compress(
  { quality }: CompressRequest,
  exchange: { request: IncomingMessage; response: ServerResponse; signal: AbortSignal },
  turns: ImageTurns,
  config: Config,
): Promise<void> {
  const args = [String(quality), String(config.maxImagePixels)];
  const job = { name: "the compression", script: JOB, args, timeoutSeconds: config.compressTimeoutSeconds };
  return answerWithJob(job, exchange, turns, config);
}
