import { DAY_MS } from "./calendar.ts";
import type { TierName } from "./tiers.ts";

/**
 * Limits of changes that are no operations. Otherwise these changes would have only the minute's limit, and each writes rows that the
 * platform bills. An account has an allowance in millionths of a dollar. It fills up over 30 days, and a full allowance may be used at
 * once.
 */
export const ALLOWANCE_MICRODOLLARS: Readonly<Record<TierName, number>> = {
  free: 2_000_000,
  starter: 6_000_000,
  pro: 40_000_000,
  business: 200_000_000,
};

export const REFILL_MS = 30 * DAY_MS;

/** A change of one thing, and each further upload that a request changes: at most 20 rows. */
export const CHANGE_MICRODOLLARS = 20;
/** A request that adds bytes to an unfinished upload, or cancels it. */
export const PIECE_MICRODOLLARS = 6;

/** CPU seconds a day for previews of compression. */
export const PREVIEW_SECONDS_PER_DAY: Readonly<Record<TierName, number>> = {
  free: 120,
  starter: 300,
  pro: 1200,
  business: 3600,
};

/** The most CPU time that a million pixels take: a PNG of 100 megapixels took 15.8 seconds. */
const SECONDS_PER_MEGAPIXEL = 0.16;
const LEAST_PREVIEW_SECONDS = 0.05;
const MAX_MEGAPIXELS = 100;

/** The CPU seconds of an image's preview, by its pixels. @param pixels 0 if they are unknown: then the most is assumed */
export function previewSeconds(pixels: number): number {
  const megapixels = pixels > 0 ? Math.min(pixels / 1_000_000, MAX_MEGAPIXELS) : MAX_MEGAPIXELS;
  return Math.max(LEAST_PREVIEW_SECONDS, megapixels * SECONDS_PER_MEGAPIXEL);
}
