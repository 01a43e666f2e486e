import { toFocalCoordinate } from "../domain/variants/focal-point.ts";
import { GRID_WIDTHS, gridWidth } from "../domain/variants/grid.ts";

/** The size and format that a URL asks for. */
export interface Sizing {
  /** CSS pixels. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Device pixels of a CSS pixel, 1 to 3. */
  readonly dpr?: number | undefined;
  readonly fit?: "clip" | "max" | "crop" | "min" | "scale" | "fill" | undefined;
  /** The part that `fit: "crop"` keeps: `top`, `left,bottom`, `entropy`. */
  readonly crop?: string | undefined;
  /** The point that `fit: "crop"` keeps near the middle, from 0 to 1. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | undefined;
  /** `left,top,width,height` in the original's pixels. */
  readonly rect?: string | undefined;
  /** 1 to 100. */
  readonly quality?: number | undefined;
  readonly format?: "jpg" | "png" | "webp" | "avif" | undefined;
  readonly auto?: "format" | "compress" | "format,compress" | undefined;
  readonly flip?: "h" | "v" | "hv" | undefined;
  readonly rotate?: 0 | 90 | 180 | 270 | undefined;
  readonly blur?: number | undefined;
  /** A colour such as `fff`. */
  readonly background?: string | undefined;
  /** The time of a video's frame in seconds. */
  readonly frame?: number | undefined;
  /** The name of a preset. Only `dpr` may be combined with it, unless the URL is signed. */
  readonly preset?: string | undefined;
}

export interface SrcsetSizing extends Sizing {
  /**
   * The widths to choose from, for an image that grows with the page. They are rounded up to the service's sizes. The default is eight widths
   * from 320 to 2560.
   */
  readonly widths?: readonly number[] | undefined;
  /** Width divided by height. It gives each width its height. */
  readonly aspectRatio?: number | undefined;
  /** The original's width. Wider candidates are left out. */
  readonly maxWidth?: number | undefined;
  /** The original's height. Higher candidates are left out. It matters only with `aspectRatio`. */
  readonly maxHeight?: number | undefined;
}

export interface PictureSizing extends SrcsetSizing {
  /** The formats that are offered before the image's own, best first. The default is AVIF and WebP. */
  readonly formats?: readonly ("avif" | "webp")[] | undefined;
  /** The attribute `sizes`. */
  readonly sizes?: string | undefined;
}

/** The attributes of the elements inside `<picture>`. */
export interface Picture {
  readonly sources: readonly { readonly type: string; readonly srcset: string; readonly sizes?: string }[];
  readonly img: { readonly src: string; readonly srcset: string; readonly sizes?: string };
}

type Parameters = Omit<Sizing, "focalPoint">;

const NAMES: Readonly<Record<keyof Parameters, string>> = {
  width: "w",
  height: "h",
  dpr: "dpr",
  fit: "fit",
  crop: "crop",
  rect: "rect",
  quality: "q",
  format: "fm",
  auto: "auto",
  flip: "flip",
  rotate: "rot",
  blur: "blur",
  background: "bg",
  frame: "frame",
  preset: "p",
};

/** Widths of the grid: the service does not round them in URLs without a height. */
const WIDTHS = [320, 480, 640, 960, 1280, 1668, 1920, 2560];

/** The URL of an image in another size or format. Other parameters of the URL stay. */
export function src(url: string, { focalPoint, ...sizing }: Sizing = {}): string {
  const [address, query] = url.split("?", 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  for (const [name, short] of Object.entries(NAMES)) {
    const value = sizing[name as keyof Parameters];
    if (value !== undefined) parameters.set(short, String(value));
  }
  if (focalPoint !== undefined) {
    parameters.set("crop", "focalpoint");
    for (const axis of ["x", "y"] as const) parameters.set(`fp-${axis}`, String(toFocalCoordinate(focalPoint[axis])));
  }
  const text = String(parameters);
  return text === "" ? address : `${address}?${text}`;
}

/**
 * The attribute `srcset`: densities (`1x, 2x, 3x`) of an image with a `width`, `height` or `preset`, and otherwise widths (`320w, 640w`),
 * which need the attribute `sizes`.
 */
export function srcset(url: string, sizing: SrcsetSizing = {}): string {
  return candidates(sizing)
    .map(({ descriptor, ...candidate }) => `${src(url, candidate)} ${descriptor}`)
    .join(", ");
}

/** The attributes of a `<picture>` that offers better formats before the image's own. */
export function picture(url: string, { formats = ["avif", "webp"], sizes, ...sizing }: PictureSizing = {}): Picture {
  const more = sizes === undefined ? {} : { sizes };
  const all = candidates(sizing);
  const { descriptor: _, ...fallback } = all.at(all[0]?.dpr ? 0 : -1) ?? { descriptor: "" };
  return {
    sources: formats.map((format) => ({
      type: `image/${format}`,
      srcset: srcset(url, { ...sizing, format }),
      ...more,
    })),
    img: { src: src(url, fallback), srcset: srcset(url, sizing), ...more },
  };
}

/** The sizes that a `srcset` offers, the smallest first. */
function candidates({ widths, aspectRatio, maxWidth = Infinity, maxHeight = Infinity, ...sizing }: SrcsetSizing) {
  const { width, height, preset } = sizing;
  if (widths === undefined && (width ?? height ?? preset) !== undefined)
    return [1, 2, 3].map((dpr) => ({ ...sizing, dpr, descriptor: `${dpr}x` }));
  const sizes = (of: readonly number[]) =>
    of.map((each) => onGrid(each, aspectRatio === undefined ? height : each / aspectRatio));
  const isWithin = (size: Size) => size.width <= maxWidth && (size.height ?? 0) <= maxHeight;
  const within = sizes(widths ?? WIDTHS).filter(isWithin);
  // A small original is offered in one size. An original below all sizes is offered as it is.
  const offered = within.length > 0 ? within : sizes(GRID_WIDTHS).filter(isWithin).slice(-1);
  return [...new Map(offered.map((size) => [size.width, size])).values()].map((size) => ({
    ...sizing,
    ...size,
    dpr: undefined,
    descriptor: `${size.width}w`,
  }));
}

interface Size {
  readonly width: number;
  readonly height: number | undefined;
}

/** The service rounds the longer side up. It is rounded here, too, so that the descriptor names the real width. */
function onGrid(width: number, height: number | undefined): Size {
  const longer = Math.max(width, height ?? 0);
  const scaled = (side: number) => Math.max(1, Math.round((side * gridWidth(longer)) / longer));
  return { width: scaled(width), height: height && scaled(height) };
}
