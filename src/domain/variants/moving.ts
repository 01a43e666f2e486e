import type { Variant } from "./variant.ts";

/** The pictures of an animated variant together have at most this many pixels: ten seconds of a processor. */
export const MAX_MOVING_PIXELS = 40_000_000;
export const MAX_MOVING_FRAMES = 1000;

/** The types of animations. */
const MOVING_TYPES: ReadonlySet<string> = new Set(["image/gif", "image/webp", "image/png"]);

/**
 * Whether a variant of an animation moves, too (VAR-13): a WebP that is only cut and resized. All others show the first frame.
 * @param type the animation's media type
 */
export function mayMove(type: string, { format, fit, crop, flip, rotation, blur }: Variant): boolean {
  const isPlain = fit !== "fill" && crop.by !== "entropy" && flip === "" && rotation === 0 && blur === 0;
  return format === "webp" && MOVING_TYPES.has(type) && isPlain;
}
