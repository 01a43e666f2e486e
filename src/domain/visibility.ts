/** Who may read a file by its plain URL: everyone, or nobody (a signed URL opens a private file). */
export const VISIBILITIES = ["public", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export function otherThan(visibility: Visibility): Visibility {
  return visibility === "private" ? "public" : "private";
}
