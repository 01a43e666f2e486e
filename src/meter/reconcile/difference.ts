import type { Finding, FindingKind } from "./finding.ts";

/** A difference between the stores, and its repair. */
export interface Difference {
  readonly kind: FindingKind;
  readonly subject?: string;
  readonly detail?: string;
  /** Undefined if no repair exists. @returns whether it was repaired */
  readonly repair?: () => Promise<boolean>;
}

/** Repairs a difference if repairs were requested and this one is possible. */
export async function toFinding({ repair, ...difference }: Difference, isOrdered: boolean): Promise<Finding> {
  return { ...difference, repaired: isOrdered && repair !== undefined && (await repair()) };
}

/** Returns true after a repair. A failed repair throws. */
export async function done(work: Promise<unknown>): Promise<boolean> {
  await work;
  return true;
}
