/** Part size of R2 multipart uploads: all parts but the last have the same size, at least 5 MiB. */
export const PART_BYTES = 8 * 1024 * 1024;
/** R2's highest part number. */
export const MAX_PART_NUMBER = 10_000;
