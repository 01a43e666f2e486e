import { findWorkerd, peakBytes, resetPeak, residentBytes } from "../../bench/support/memory.ts";

/** How much more memory workerd held at most while something was done than before it; and what came of it. */
export async function withMemoryGrowth<T>(work: () => Promise<T>): Promise<{ done: T; grownBytes: number }> {
  const workerd = await findWorkerd();
  await resetPeak(workerd);
  const before = await residentBytes(workerd);
  const done = await work();
  return { done, grownBytes: (await peakBytes(workerd)) - before };
}
