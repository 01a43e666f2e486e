import { type GrowingLease, MemoryBudget } from "../isolate/memory-budget.ts";

const MIB = 1024 * 1024;

/**
 * What all images in work in this isolate may take: files, engines and results. The platform replaces an isolate that takes
 * 128 MB, with all requests in it; engines that are kept, code, and garbage until it is collected need the rest.
 */
export const isolateMemory = new MemoryBudget(88 * MIB);

/** An image takes this much at least: instances of engines are not free, and it bounds how many images are in work. */
export const LEAST_BYTES = 6 * MIB;

/** Whoever has uploaded an image waits for the answer meanwhile. */
const MAX_WAIT_MS = 30_000;

/** There was no memory for an image in time: it is stored as uploaded. */
export class CodecsBusy extends Error {
  constructor() {
    super("Other images need the memory");
    this.name = "CodecsBusy";
  }
}

/** @throws CodecsBusy where the share cannot grow in time */
export async function growTo(lease: GrowingLease, bytes: number): Promise<void> {
  if (!(await lease.growTo(bytes, MAX_WAIT_MS))) throw new CodecsBusy();
}
