/** A public file is served at its plain URL. A private file needs a signed URL. */
export const VISIBILITIES = ["public", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export function otherThan(visibility: Visibility): Visibility {
  return visibility === "private" ? "public" : "private";
}
