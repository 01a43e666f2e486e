import type { Finding, FindingKind } from "./finding.ts";

/** Something that the stores disagree in, and what would mend it. */
export interface Difference {
  readonly kind: FindingKind;
  readonly subject?: string;
  readonly detail?: string;
  /** Undefined where nothing can be done. @returns whether it was */
  readonly repair?: () => Promise<boolean>;
}

/** Mends a difference, where that is ordered and can be done. */
export async function toFinding({ repair, ...difference }: Difference, isOrdered: boolean): Promise<Finding> {
  return { ...difference, repaired: isOrdered && repair !== undefined && (await repair()) };
}

/** What a repair answers that succeeds or throws. */
export async function done(work: Promise<unknown>): Promise<boolean> {
  await work;
  return true;
}
