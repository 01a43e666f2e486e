/** The base path of all pages. */
export const BASE = "/dashboard";
