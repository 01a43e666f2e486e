import type { MediaObject } from "../../client/index.ts";

/** Slower shutters are written in seconds, as cameras do. */
const FRACTIONS_BELOW_SECONDS = 0.3;

/** "1/250 s · f/2.8 · ISO 400 · 35 mm", without the facts that are unknown. */
export function toExposureText({
  shutterSeconds,
  aperture,
  iso,
  focalLengthMm,
}: NonNullable<MediaObject["exposure"]>): string {
  return [
    shutterSeconds === null ? [] : [`${shutterText(shutterSeconds)} s`],
    aperture === null ? [] : [`f/${round(aperture)}`],
    iso === null ? [] : [`ISO ${iso}`],
    focalLengthMm === null ? [] : [`${round(focalLengthMm)} mm`],
  ]
    .flat()
    .join(" · ");
}

function shutterText(seconds: number): string {
  return seconds < FRACTIONS_BELOW_SECONDS ? `1/${Math.round(1 / seconds)}` : String(round(seconds));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
