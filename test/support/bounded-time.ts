/** Much longer than a linear pass over some megabytes takes on a busy machine, and much shorter than a quadratic one. */
export const BOUNDED_MS = 15_000;
