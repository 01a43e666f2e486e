import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { MAX_VARIANT_BYTES, MAX_VARIANT_EDGE } from "../src/domain/variants/grid.ts";
import { FORMAT_TYPES, type Variant } from "../src/domain/variants/variant.ts";
import type { Config } from "./config.ts";
import { answerWithJob, type ImageTurns } from "./image-job.ts";
import { Refusal } from "./refusal.ts";

const JOB = fileURLToPath(new URL("variant-job.ts", import.meta.url));
const TYPES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const FITS: ReadonlySet<unknown> = new Set(["clip", "crop", "min", "scale", "fill"]);
const FLIPS: ReadonlySet<unknown> = new Set(["", "h", "v", "hv"]);
const MAX_BLUR = 2000;

export interface VariantTask {
  type: string;
  variant: Variant;
}

/** @throws Refusal 400 for a query that is not `type` and `variant`, the JSON of a variant */
export function readVariantTask(query: URLSearchParams): VariantTask {
  const type = query.get("type") ?? "";
  if (!TYPES.has(type)) throw new Refusal(400, `type must be one of ${[...TYPES].join(", ")}`);
  const variant = parse(query.get("variant") ?? "");
  if (variant === undefined || !isVariant(variant)) throw new Refusal(400, "variant must be a variant");
  return { type, variant };
}

function parse(text: string): Partial<Variant> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isVariant(value: Partial<Variant>): value is Variant {
  const { width, height, fit, crop, rect, quality, format, flip, rotation, blur, background } = value;
  const isWithin = (number: unknown, least: number, most: number) =>
    typeof number === "number" && number >= least && number <= most;
  const isEdge = (edge: unknown) =>
    edge === undefined || (Number.isInteger(edge) && isWithin(edge, 1, MAX_VARIANT_EDGE));
  const isSized = fit === "clip" || (width !== undefined && height !== undefined);
  const isCrop = crop?.by === "entropy" || (crop?.by === "point" && isWithin(crop.x, 0, 1) && isWithin(crop.y, 0, 1));
  const isRect =
    rect === undefined ||
    [rect.left, rect.top, rect.width, rect.height].every((side) => isWithin(side, 0, Number.MAX_SAFE_INTEGER));
  return (
    isEdge(width) &&
    isEdge(height) &&
    FITS.has(fit) &&
    isSized &&
    isCrop &&
    isRect &&
    isWithin(quality, 1, 100) &&
    format !== undefined &&
    Object.hasOwn(FORMAT_TYPES, format) &&
    FLIPS.has(flip) &&
    [0, 90, 180, 270].some((each) => each === rotation) &&
    isWithin(blur, 0, MAX_BLUR) &&
    (background === undefined || /^[0-9a-f]{8}$/.test(background))
  );
}

/**
 * Answers with a variant of the image in the request's body.
 * @throws Refusal like `answerWithJob`: 422 if the image can never have the variant
 */
export function answerVariant(
  { type, variant }: VariantTask,
  exchange: { request: IncomingMessage; response: ServerResponse; signal: AbortSignal },
  turns: ImageTurns,
  config: Config,
): Promise<void> {
  const args = [type, JSON.stringify(variant), String(config.maxImagePixels)];
  const limits = { timeoutSeconds: config.variantTimeoutSeconds, maxResultBytes: MAX_VARIANT_BYTES };
  return answerWithJob({ name: "the variant", script: JOB, args, ...limits }, exchange, turns, config);
}
