/** The custom metadata of a variant that shows the first frame of an animation. */
export const FIRST_FRAME = { shows: "first-frame" } as const;

/** Whether a stored variant shows the first frame of an animation. */
export function isFirstFrame({ customMetadata }: Pick<R2Object, "customMetadata">): boolean {
  return customMetadata?.shows === FIRST_FRAME.shows;
}
