import { type GrowingLease, MemoryBudget } from "../isolate/memory-budget.ts";
import { EngineMemoryError } from "../media/webp/memory-bound.ts";

const MIB = 1024 * 1024;

/**
 * The memory that all images in work in this isolate share: files, engines and results. The platform replaces an isolate that exceeds 128
 * MB, with all its requests. Kept engines, code and garbage need the rest.
 */
export const isolateMemory = new MemoryBudget(88 * MIB);

/** The least memory that an image takes: engine instances need memory, and this limits the number of images at a time. */
export const LEAST_BYTES = 6 * MIB;

/** The time to wait for memory. The uploading client waits, too. */
const MAX_WAIT_MS = 30_000;

/** No memory was free in time, so the image is stored as uploaded. */
export class CodecsBusy extends Error {
  constructor() {
    super("Other images need the memory");
    this.name = "CodecsBusy";
  }
}

/** The same share, but it never waits for memory: it grows at once or not at all. */
export function withoutWaiting(lease: GrowingLease): GrowingLease {
  return {
    get bytes() {
      return lease.bytes;
    },
    get maxBytes() {
      return lease.maxBytes;
    },
    get isWanted() {
      return lease.isWanted;
    },
    growTo: (bytes) => lease.growTo(bytes, 0),
    shrinkTo: (bytes) => lease.shrinkTo(bytes),
    release: () => lease.release(),
    [Symbol.dispose]: () => lease.release(),
  };
}

/** @throws CodecsBusy if the share cannot grow in time; EngineMemoryError if it can never grow to this size */
export async function growTo(lease: GrowingLease, bytes: number): Promise<void> {
  if (bytes > lease.maxBytes) throw new EngineMemoryError();
  if (!(await lease.growTo(bytes, MAX_WAIT_MS))) throw new CodecsBusy();
}
