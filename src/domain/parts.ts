/** The parts of R2's multipart uploads: all but the last must have the same size, 5 MiB or more. */
export const PART_BYTES = 8 * 1024 * 1024;
/** R2 takes part numbers up to this. */
export const MAX_PART_NUMBER = 10_000;
