import { findWorkerd, peakBytes, resetPeak, residentBytes } from "../../bench/support/memory.ts";

/** The most that workerd's memory grew during some work, and the work's result. */
export async function withMemoryGrowth<T>(work: () => Promise<T>): Promise<{ done: T; grownBytes: number }> {
  const workerd = await findWorkerd();
  await resetPeak(workerd);
  const before = await residentBytes(workerd);
  const done = await work();
  return { done, grownBytes: (await peakBytes(workerd)) - before };
}
