import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import type { Config } from "./config.ts";
import { answerWithJob, type ImageTurns } from "./image-job.ts";
import { Refusal } from "./refusal.ts";

const JOB = fileURLToPath(new URL("preview-job.ts", import.meta.url));
const TYPES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const MAX_EDGE = 4096;

/** A request for a preview that fits both edges and is never larger than its image. */
export interface PreviewRequest {
  type: string;
  shortEdge: number;
  longEdge: number;
  quality: number;
}

/** @throws Refusal 400 for a query that is not `type`, `shortEdge`, `longEdge` and `quality` */
export function readPreviewRequest(query: URLSearchParams): PreviewRequest {
  const type = query.get("type") ?? "";
  if (!TYPES.has(type)) throw new Refusal(400, `type must be one of ${[...TYPES].join(", ")}`);
  const number = (name: string, max: number): number => {
    const text = query.get(name) ?? "";
    const value = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) throw new Refusal(400, `${name} must be a whole number from 1 to ${max}`);
    return value;
  };
  return {
    type,
    shortEdge: number("shortEdge", MAX_EDGE),
    longEdge: number("longEdge", MAX_EDGE),
    quality: number("quality", 100),
  };
}

/**
 * Answers with a preview of the image in the request's body: an upright WebP without metadata.
 * @throws Refusal like `answerWithJob`: 422 if the image can never have a preview
 */
export function preview(
  { type, shortEdge, longEdge, quality }: PreviewRequest,
  exchange: { request: IncomingMessage; response: ServerResponse; signal: AbortSignal },
  turns: ImageTurns,
  config: Config,
): Promise<void> {
  const args = [type, ...[shortEdge, longEdge, quality, config.maxImagePixels].map(String)];
  const job = { name: "the preview", script: JOB, args, timeoutSeconds: config.previewTimeoutSeconds };
  return answerWithJob(job, exchange, turns, config);
}
