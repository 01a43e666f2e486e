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

/** The rest of an allowance at a given time. It is below zero after a large change. */
export interface StoredAllowance {
  readonly left: number;
  readonly at: number;
}

/** The rest of an allowance now, in millionths of a dollar. @param stored undefined if nothing was ever taken */
export function allowanceLeft(stored: StoredAllowance | undefined, tier: TierName, now: number): number {
  const most = ALLOWANCE_MICRODOLLARS[tier];
  if (stored === undefined) return most;
  return Math.min(most, stored.left + (most * Math.max(0, now - stored.at)) / REFILL_MS);
}

/** A change of one thing, and each further upload that a request changes: at most 20 rows. */
export const CHANGE_MICRODOLLARS = 20;
/** A change of a file's visibility copies the file, so it takes the price of this many changes. */
export const CHANGES_OF_VISIBILITY = 2;
/** A request that adds bytes to an unfinished upload, or cancels it. */
export const PIECE_MICRODOLLARS = 6;
/** A part of a file in R2, which an import has fetched and not stored, with its reservation. */
export const PART_MICRODOLLARS = 10;
/** A host after the first, to which redirects led an import: its turn is two calls and three rows. */
export const HOST_MICRODOLLARS = 10;

/**
 * A variant that is not stored yet: its calls and objects, and a tenth of a second of CPU time. Visitors cause it, so it is taken from an
 * allowance of its own, as large as the allowance for changes.
 */
export const VARIANT_MICRODOLLARS = 16;

/** The most seconds that the media processor works on an order of a variant. */
export const MAX_ORDER_SECONDS = 40;
/** A second of work of the media processor. */
export const PROCESSOR_SECOND_MICRODOLLARS = 20;
/** The media processor stays awake for this time after an order (`processor/media-container.ts`). */
export const AWAKE_SECONDS = 30;
/** A second in which a media processor is awake: 27 dollars a month. */
export const AWAKE_SECOND_MICRODOLLARS = 10.5;

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

/** The operations of LIM-4. Weights are tenths of an operation, so that a view's 0.1 is exact. */

export const OPERATIONS = {
  upload: { class: "A", weightTenths: 10 },
  delete: { class: "A", weightTenths: 10 },
  view: { class: "B", weightTenths: 1 },
} as const;

export type OperationType = keyof typeof OPERATIONS;
export type OperationClass = (typeof OPERATIONS)[OperationType]["class"];

export const OPERATION_TYPES = ["upload", "delete", "view"] as const satisfies readonly OperationType[];
export const OPERATION_CLASSES = ["A", "B"] as const satisfies readonly OperationClass[];

export const CLASS_A_TENTHS = 10;

/** Operations as the API shows them: at most one decimal. */
export function toOperations(tenths: number): number {
  return tenths / 10;
}
