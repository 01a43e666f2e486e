import { MAX_VARIANT_EDGE } from "./grid.ts";
import type { Variant } from "./variant.ts";
import type { Rect } from "./variant-request.ts";

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The most pixels that the media processor makes: 2,560 by 1,920. Five megapixels of AVIF take eight seconds of a processor, and the
 * Container has half a processor.
 */
export const MAX_ORDERED_PIXELS = 5_000_000;

/** How an upright source becomes a variant. */
export interface VariantGeometry {
  /** The part of the source that is shown, in its pixels; it may be fractional. */
  readonly part: Rect;
  /** The size to which the part is scaled. */
  readonly picture: PictureSize;
  /** The variant's size, and the picture's place on it. It differs from the picture's only if `fit=fill`. */
  readonly canvas: PictureSize & { readonly left: number; readonly top: number };
  /**
   * Set if the content decides what `fit=crop` shows: `part` and `picture` are whole, and a window of this size is cut out of the picture.
   */
  readonly cut?: PictureSize;
}

/** Computes the geometry of a variant. @param source the upright picture's size, after the variant's own rotation */
export function geometryOf(source: PictureSize, variant: Variant): VariantGeometry {
  const whole = partOf(source, variant.rect);
  const { width = 0, height = 0, fit, crop } = variant;
  const box = { width, height };
  switch (fit) {
    case "min": {
      const smaller = Math.min(1, whole.width / width, whole.height / height);
      const size = {
        width: Math.max(1, Math.round(width * smaller)),
        height: Math.max(1, Math.round(height * smaller)),
      };
      return geometryOf(source, { ...variant, ...size, fit: "crop" });
    }
    case "crop": {
      const scale = Math.max(width / whole.width, height / whole.height);
      if (crop.by === "entropy") {
        const picture = { width: Math.round(whole.width * scale), height: Math.round(whole.height * scale) };
        return {
          ...onWholeCanvas(whole, { width: Math.max(width, picture.width), height: Math.max(height, picture.height) }),
          cut: box,
        };
      }
      const shown = { width: Math.min(whole.width, width / scale), height: Math.min(whole.height, height / scale) };
      return onWholeCanvas(cutAround(whole, shown, crop), box);
    }
    case "scale":
      return onWholeCanvas(whole, box);
    case "fill": {
      const scale = Math.min(width / whole.width, height / whole.height);
      const picture = {
        width: Math.max(1, Math.min(width, Math.round(whole.width * scale))),
        height: Math.max(1, Math.min(height, Math.round(whole.height * scale))),
      };
      const left = Math.floor((width - picture.width) / 2);
      const top = Math.floor((height - picture.height) / 2);
      return { part: whole, picture, canvas: { ...box, left, top } };
    }
    default:
      return onWholeCanvas(whole, clip(whole, variant));
  }
}

/** The pixels that are held to make a variant. */
export function pixelsOf({ picture, canvas }: VariantGeometry): number {
  return Math.max(picture.width * picture.height, canvas.width * canvas.height);
}

/** The part of the rectangle within the source. If there is none, the whole source. */
function partOf(source: PictureSize, rect: Rect | undefined): Rect {
  const all = { left: 0, top: 0, width: source.width, height: source.height };
  if (rect === undefined || rect.left >= source.width || rect.top >= source.height) return all;
  const width = Math.min(rect.width, source.width - rect.left);
  const height = Math.min(rect.height, source.height - rect.top);
  return { left: rect.left, top: rect.top, width, height };
}

/** Fits a part into the wanted size without enlarging it. */
function clip(part: PictureSize, { width = MAX_VARIANT_EDGE, height = MAX_VARIANT_EDGE }: Variant): PictureSize {
  const scale = Math.min(1, width / part.width, height / part.height);
  return {
    width: Math.max(1, Math.round(part.width * scale)),
    height: Math.max(1, Math.round(part.height * scale)),
  };
}

/** Cuts a part around a point, within the bounds of the whole. */
function cutAround(
  whole: Rect,
  { width, height }: PictureSize,
  { x, y }: { readonly x: number; readonly y: number },
): Rect {
  const place = (from: number, length: number, shown: number, at: number) =>
    from + Math.min(length - shown, Math.max(0, at * length - shown / 2));
  return {
    left: place(whole.left, whole.width, width, x),
    top: place(whole.top, whole.height, height, y),
    width,
    height,
  };
}

function onWholeCanvas(part: Rect, picture: PictureSize): VariantGeometry {
  return { part, picture, canvas: { ...picture, left: 0, top: 0 } };
}
