/** What the paths of all pages begin with. */
export const BASE = "/dashboard";
