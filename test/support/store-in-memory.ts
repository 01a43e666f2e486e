import { accessSync, constants, statfsSync } from "node:fs";

/** Where Linux has files that are in memory only. */
const MEMORY = "/dev/shm";

/** Four times what a run ever has there; a machine with less memory has other uses for it. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Has the Workers of the tests store in memory what they would store in files of the temporary folder. Each test has databases of its
 * own, an account's among them, and each of their commits waits until the disk has it: that takes as long as all that the tests do.
 */
export function storeInMemory(): void {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= NEEDED_BYTES) process.env.TMPDIR = MEMORY;
  } catch {
    // There is none: the disk will do.
  }
}
