/** The form of a picture as it is displayed. A picture of unknown size has none. */
export const ORIENTATIONS = ["landscape", "portrait", "square"] as const;
export type Orientation = (typeof ORIENTATIONS)[number];
