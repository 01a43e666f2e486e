/** How much metadata stored files keep (SET-1, META-1). */
export const METADATA_MODES = ["keep", "private", "none"] as const;
export type MetadataMode = (typeof METADATA_MODES)[number];
/** A mode that changes files. */
export type ScrubMode = Exclude<MetadataMode, "keep">;
