import { type Sizing, src } from "../../../client/sizes.ts";
import type { Preset } from "../../../client/types.ts";
import { DEFAULT_VARIANT_QUALITY } from "../../../domain/variants/grid.ts";
import { parseVariant } from "../../../domain/variants/parse-variant.ts";
import { type Variant, variantFor } from "../../../domain/variants/variant.ts";
import { geometryOf, type PictureSize, type VariantGeometry } from "../../../domain/variants/variant-geometry.ts";
import { type FileFacts, isVideo } from "../file-facts.ts";

export const WIDTHS = [320, 640, 960, 1280, 1920] as const;
/** The widest variant that `<img srcset>` offers. */
const WIDEST = 3840;
const DEFAULT_WIDTH = 1280;

export const FORMATS = ["auto", "avif", "webp", "jpg", "png"] as const;
export type Format = (typeof FORMATS)[number];

/** A size, crop and format as the user chose them. */
export interface Choice {
  /** The name of a preset, which replaces all other values. */
  readonly preset?: string | undefined;
  /** Pixels; undefined while a field is empty. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit: "clip" | "crop";
  readonly format: Format;
  readonly quality: number;
  /** The time of a video's frame in seconds; undefined: its thumbnail. */
  readonly frame?: number | undefined;
}

/** The choice with which the panel opens: at most the picture's own width. */
export function firstChoice({ size }: Pick<FileFacts, "size">): Choice {
  const fitting = WIDTHS.filter((width) => width <= Math.min(size.width, DEFAULT_WIDTH));
  return { width: fitting.at(-1) ?? size.width, fit: "clip", format: "auto", quality: DEFAULT_VARIANT_QUALITY };
}

/** The parameters of the chosen variant; undefined while the choice is incomplete. */
export function toSizing(choice: Choice, focalPoint: FileFacts["focalPoint"]): Sizing | undefined {
  const { preset, width, height } = choice;
  if (preset !== undefined) return { preset };
  const isCrop = choice.fit === "crop";
  if (isCrop ? width === undefined || height === undefined : width === undefined && height === undefined)
    return undefined;
  return { width, height, ...toLook(choice, focalPoint) };
}

/** The parameters that stay the same in every size of a `srcset`. */
export function toLook(
  { fit, format, quality, frame }: Choice,
  focalPoint: FileFacts["focalPoint"],
): Pick<Sizing, "fit" | "focalPoint" | "quality" | "format" | "auto" | "frame"> {
  return {
    frame,
    ...(fit === "crop" && { fit, ...(focalPoint && { focalPoint }) }),
    ...(format !== "png" && quality !== DEFAULT_VARIANT_QUALITY && { quality }),
    ...(format === "auto" ? { auto: "format" } : { format }),
  };
}

/** The query of a sizing: `w=640&auto=format`. */
export function queryOf(sizing: Sizing): string {
  return src("", sizing).slice(1);
}

/** The chosen variant and its place in the picture, computed as the service does. */
export interface Planned {
  readonly sizing: Sizing;
  readonly variant: Variant;
  readonly geometry: VariantGeometry;
}

/** Pixels of the pictures that the service takes from a video (THUMB-2, VAR-12). */
const THUMBNAIL_WIDTH = 640;
const FRAME_EDGE = 1920;

/** The size of the picture from which a variant is made. */
export function sourceSize({ size, mimeType }: FileFacts, { frame }: Choice): PictureSize {
  if (!isVideo({ mimeType })) return size;
  const scale =
    frame === undefined
      ? Math.min(1, THUMBNAIL_WIDTH / size.width)
      : Math.min(1, FRAME_EDGE / Math.max(size.width, size.height));
  return { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
}

interface PlanOptions {
  readonly presets: readonly Preset[];
  /** Whether the owner's server signs the URL. Its size and quality are exact then, like a preset's. */
  readonly isSigned: boolean;
}

/** @returns undefined for an incomplete choice and for an unknown preset */
export function plan(file: FileFacts, choice: Choice, { presets, isSigned }: PlanOptions): Planned | undefined {
  const sizing = toSizing(choice, file.focalPoint);
  if (sizing === undefined || file.size.width === 0) return undefined;
  const preset = presets.find(({ name }) => name === choice.preset);
  if (choice.preset !== undefined && preset === undefined) return undefined;
  const parsed = parseVariant(preset?.parameters ?? queryOf(sizing));
  if (parsed === undefined || "errors" in parsed) return undefined;
  const variant = variantFor(parsed.request, {
    sourceType: file.mimeType,
    accepted: { webp: true, avif: true },
    isExact: preset !== undefined || isSigned,
    hasProcessor: true,
  });
  return { sizing, variant, geometry: geometryOf(turned(sourceSize(file, choice), variant), variant) };
}

function turned({ width, height }: PictureSize, { rotation }: Variant): PictureSize {
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/**
 * Whether the panel knows the part of the picture that a variant shows. A turned or mirrored picture looks different from the file, and only
 * the service knows the part that `entropy` keeps.
 */
export function hasKnownPart({ variant: { rotation, flip }, geometry: { cut } }: Planned): boolean {
  return rotation === 0 && flip === "" && cut === undefined;
}

/** The widths of a `srcset` for a picture that is shown up to `width` CSS pixels wide: up to twice as many for dense screens. */
export function widthsFor(width: number): number[] {
  const most = Math.min(WIDEST, 2 * width);
  const between = [...WIDTHS, 2560].filter((each) => each < most);
  return [...new Set([...between, Math.min(width, most), most])].sort((a, b) => a - b);
}
