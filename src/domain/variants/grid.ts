/**
 * Result widths that unsigned requests get: a request's width is rounded up to one of them, so that strangers cannot make a variant for
 * each pixel. They include the breakpoints of `next/image`, unpic and Nuxt Image.
 */
export const GRID_WIDTHS: readonly number[] = [
  16, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 480, 512, 576, 640, 704, 750, 768, 828, 896, 960, 1024,
  1080, 1200, 1280, 1440, 1536, 1668, 1792, 1920, 2048, 2240, 2560, 2880, 3200, 3840, 4480, 5120, 6016, 8192,
];

/** The largest width and height of a variant. */
export const MAX_VARIANT_EDGE = 8192;
/** The media processor makes no larger variant. */
export const MAX_VARIANT_BYTES = 16_777_216;
const QUALITY_STEP = 5;
/** The quality of JPEG, WebP and AVIF variants whose URL names none. */
export const DEFAULT_VARIANT_QUALITY = 75;

/** The smallest width of the grid that is not below `width`. */
export function gridWidth(width: number): number {
  return GRID_WIDTHS.find((step) => step >= width) ?? MAX_VARIANT_EDGE;
}

/** The next step of quality, at most 100. */
export function gridQuality(quality: number): number {
  return Math.min(100, Math.ceil(quality / QUALITY_STEP) * QUALITY_STEP);
}
