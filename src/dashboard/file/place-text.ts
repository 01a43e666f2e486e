import type { MediaObject } from "../../client/index.ts";

type Location = NonNullable<MediaObject["location"]>;

/** About ten metres. */
const DECIMALS = 4;
/** A street fills the map. */
const ZOOM = 16;

/** "59.9139° N, 10.7522° E". */
export function toPlaceText({ latitude, longitude }: Location): string {
  return `${axisText(latitude, "N", "S")}, ${axisText(longitude, "E", "W")}`;
}

function axisText(degrees: number, positive: string, negative: string): string {
  return `${Math.abs(degrees).toFixed(DECIMALS)}° ${degrees < 0 ? negative : positive}`;
}

/** The address of a map with a mark. The page itself requests nothing from it. */
export function toMapUrl({ latitude, longitude }: Location): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${ZOOM}/${latitude}/${longitude}`;
}
