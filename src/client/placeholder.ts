import { toPicture } from "./thumb-hash.ts";

/** A page shows it until the image is loaded. Upload results and media objects have these fields. */
export interface Placeholder {
  readonly thumbHash: string | null;
  readonly dominantColor: string | null;
}

/** The blurred picture of a `thumbHash` as a PNG in a data URL, at most 32 pixels wide and high. Runs in browsers, Node and Workers. */
export function thumbHashToDataURL(thumbHash: string): string {
  return toPicture(thumbHash);
}

/** The CSS declaration of an image's background while it loads; empty without a placeholder. */
export function placeholderStyle({ thumbHash, dominantColor }: Placeholder): string {
  if (thumbHash === null) return "";
  const picture = `url(${thumbHashToDataURL(thumbHash)}) 0 0/100% 100% no-repeat`;
  return `background:${dominantColor === null ? picture : `${dominantColor} ${picture}`}`;
}
