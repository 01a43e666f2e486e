/** A variant as its URL asks for it, in imgix's terms. */
export interface VariantRequest {
  /** CSS pixels; undefined if the URL has none. */
  readonly width?: number;
  readonly height?: number;
  /** Device pixels of a CSS pixel, 1 to 3. */
  readonly dpr: number;
  readonly fit: Fit;
  readonly crop: Crop;
  /** A part of the upright source, in its pixels. */
  readonly rect?: Rect;
  /** 1 to 100; undefined for the default. */
  readonly quality?: number;
  /** Undefined: the source's format, or by `Accept` if `autoFormat`. */
  readonly format?: VariantFormat;
  readonly autoFormat: boolean;
  readonly autoCompress: boolean;
  readonly flip: Flip;
  /** Degrees clockwise. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** imgix's strength, 0 to 2000. */
  readonly blur: number;
  /** `rrggbbaa`; undefined: transparent, or white in a JPEG. */
  readonly background?: string;
  /** The time of a video's frame, in seconds. */
  readonly frame?: number;
}

/** `min` is `crop` without enlarging. */
export type Fit = "clip" | "crop" | "max" | "min" | "scale" | "fill";
export type VariantFormat = "jpg" | "png" | "webp" | "avif";
export type Flip = "" | "h" | "v" | "hv";

/** The part that `fit=crop` keeps. `x` and `y`, from 0 to 1, are the point that stays as near as possible to the middle. */
export type Crop = { readonly by: "point"; readonly x: number; readonly y: number } | { readonly by: "entropy" };

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export const MIDDLE: Crop = { by: "point", x: 0.5, y: 0.5 };
