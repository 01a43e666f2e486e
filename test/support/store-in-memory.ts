import { accessSync, constants, statfsSync } from "node:fs";

/** Linux keeps the files of this folder in memory only. */
const MEMORY = "/dev/shm";

/** The free memory that is required: four times the most that a run stores there. A machine with less memory needs it for other work. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Makes the Workers of the tests store in memory instead of files in the temporary folder. Each test has its own databases, also one for
 * each account, and each commit waits for the disk: that takes as long as all the tests' work.
 */
export function storeInMemory(): void {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= NEEDED_BYTES) process.env.TMPDIR = MEMORY;
  } catch {
    // The folder does not exist, so the disk is used.
  }
}
