import type { Size } from "./preview-size.ts";

/** A page shows it until an image or a video's thumbnail is loaded. */
export interface Placeholder {
  /** A ThumbHash (https://evanw.github.io/thumbhash/) in base64, of about 25 bytes. */
  readonly thumbHash: string;
  /** The most frequent colour, `#rrggbb`; null if the whole picture is transparent. */
  readonly dominantColor: string | null;
}

/** `none`: the file cannot be decoded, so there will never be a placeholder. */
export type StoredPlaceholder = Placeholder | "none";

/** A ThumbHash has at most seven waves along an edge, so that more pixels of it show nothing more. */
const EDGE = 64;

/** The size of the picture of which a placeholder is made. */
export function placeholderSize({ width, height }: Size): Size {
  const scale = Math.min(1, EDGE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const HASH_NAME = "thumb-hash";
const COLOUR_NAME = "dominant-color";

/** A placeholder as metadata of a stored thumbnail, so that a replay after a crash can record both in one write. */
export function toPlaceholderMetadata({ thumbHash, dominantColor }: Placeholder): Record<string, string> {
  return { [HASH_NAME]: thumbHash, ...(dominantColor === null ? {} : { [COLOUR_NAME]: dominantColor }) };
}

/** The placeholder in a thumbnail's metadata; `{}` if there is none. */
export function readPlaceholderMetadata(metadata: Readonly<Record<string, string>> = {}): {
  readonly placeholder?: Placeholder;
} {
  const thumbHash = metadata[HASH_NAME];
  if (thumbHash === undefined) return {};
  return { placeholder: { thumbHash, dominantColor: metadata[COLOUR_NAME] ?? null } };
}
