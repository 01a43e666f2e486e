/**
 * Far more than reading some megabytes takes on a machine that is busy with all other tests, and far less than what takes the square
 * of their length does.
 */
export const BOUNDED_MS = 15_000;
