import { DEFAULT_VARIANT_QUALITY, gridQuality, gridWidth, MAX_VARIANT_EDGE } from "./grid.ts";
import type { Crop, Fit, Flip, Rect, VariantFormat, VariantRequest } from "./variant-request.ts";

/** A variant as it is made and stored. Requests with the same result have the same variant. */
export interface Variant {
  /** Device pixels. If both are missing, the picture keeps its size. */
  readonly width?: number;
  readonly height?: number;
  readonly fit: Fit;
  readonly crop: Crop;
  readonly rect?: Rect;
  readonly quality: number;
  readonly format: VariantFormat;
  readonly flip: Flip;
  readonly rotation: 0 | 90 | 180 | 270;
  /** imgix's strength, 0 to 2000. */
  readonly blur: number;
  /** `rrggbbaa` */
  readonly background?: string;
  /** The time of the video's frame that this variant shows; a whole tenth of a second. */
  readonly frameMs?: number;
}

/** The formats that a client's `Accept` names. */
export interface AcceptedFormats {
  readonly webp: boolean;
  readonly avif: boolean;
}

export const FORMAT_TYPES: Readonly<Record<VariantFormat, string>> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
};

const COMPRESSED_QUALITY = 60;

interface Circumstances {
  /** The stored file's media type. */
  readonly sourceType: string;
  readonly accepted: AcceptedFormats;
  /** Whether the owner has chosen the values, so that they are not rounded to the grid. */
  readonly isExact?: boolean;
  /** Whether there is a media processor. AVIF needs one. */
  readonly hasProcessor?: boolean;
}

/** The variant that answers a request. */
export function variantFor(
  request: VariantRequest,
  { sourceType, accepted, isExact = false, hasProcessor = false }: Circumstances,
): Variant {
  const { fit, rect, flip, rotation, background, autoCompress } = request;
  const isVideo = sourceType.startsWith("video/");
  const found = formatOf(request, sourceType, accepted);
  const format = found === "avif" && !hasProcessor ? "webp" : found;
  const quality = request.quality ?? (autoCompress ? COMPRESSED_QUALITY : DEFAULT_VARIANT_QUALITY);
  const size = sizeOf(request, isExact);
  const isBoth = size.width !== undefined && size.height !== undefined;
  const usedFit = isBoth && fit !== "max" ? fit : "clip";
  return {
    ...size,
    fit: usedFit,
    crop: isCropped(usedFit) ? roundCrop(request.crop) : { by: "point", x: 0.5, y: 0.5 },
    ...(rect === undefined ? {} : { rect: roundRect(rect) }),
    // PNG has no quality.
    quality: format === "png" ? 100 : isExact ? Math.ceil(quality) : gridQuality(quality),
    format,
    flip,
    rotation,
    blur: Math.min(2000, 20 * Math.ceil(request.blur / 20)),
    ...(background === undefined ? {} : { background }),
    ...(isVideo && request.frame !== undefined ? { frameMs: 100 * Math.round(10 * request.frame) } : {}),
  };
}

/**
 * The variant's name in its upload's folder: all of its values, in a fixed order, and the format's extension. It has only characters of
 * URLs.
 */
export function variantName(variant: Variant): string {
  const { width, height, fit, crop, rect, quality, format, flip, rotation, blur, background, frameMs } = variant;
  const parts = [
    width === undefined ? "" : `w${width}`,
    height === undefined ? "" : `h${height}`,
    fit === "clip" ? "" : fit,
    !isCropped(fit) ? "" : crop.by === "entropy" ? "entropy" : `at${crop.x}x${crop.y}`,
    rect === undefined ? "" : `rect${rect.left}x${rect.top}x${rect.width}x${rect.height}`,
    format === "png" ? "" : `q${quality}`,
    flip === "" ? "" : `flip${flip}`,
    rotation === 0 ? "" : `rot${rotation}`,
    blur === 0 ? "" : `blur${blur}`,
    background === undefined ? "" : `bg${background}`,
    frameMs === undefined ? "" : `frame${frameMs}`,
  ];
  return `${parts.filter((part) => part !== "").join("-") || "same"}.${format}`;
}

/** The name of a video's frame from which variants are made. */
export function posterName(frameMs: number): string {
  return `poster${frameMs}.jpg`;
}

/** The requested size in device pixels. Its longer side is on the grid unless it is exact. Its shape stays. */
function sizeOf({ width, height, dpr }: VariantRequest, isExact: boolean): { width?: number; height?: number } {
  const longest = Math.max(width ?? 0, height ?? 0) * dpr;
  if (longest === 0) return {};
  const rounded = Math.min(MAX_VARIANT_EDGE, Math.max(1, isExact ? Math.round(longest) : gridWidth(longest)));
  const scale = (rounded / longest) * dpr;
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  return {
    ...(width === undefined ? {} : { width: scaled(width) }),
    ...(height === undefined ? {} : { height: scaled(height) }),
  };
}

/**
 * The format of a variant. Formats that every browser shows stay, and `auto=format` prefers the smallest format that the client accepts. A
 * GIF or WebP may be an animation, which AVIF would end.
 */
function formatOf(
  { format, autoFormat }: VariantRequest,
  sourceType: string,
  accepted: AcceptedFormats,
): VariantFormat {
  const mayMove = sourceType === "image/gif" || sourceType === "image/webp";
  if (autoFormat && accepted.avif && !mayMove) return "avif";
  if (autoFormat && accepted.webp) return "webp";
  if (format !== undefined) return format;
  switch (sourceType) {
    case "image/png":
    case "image/gif":
      return "png";
    case "image/webp":
      return autoFormat ? "png" : "webp";
    default:
      return "jpg";
  }
}

function isCropped(fit: Fit): boolean {
  return fit === "crop" || fit === "min";
}

/** To hundredths. */
function roundCrop(crop: Crop): Crop {
  if (crop.by === "entropy") return crop;
  return { by: "point", x: Math.round(crop.x * 100) / 100, y: Math.round(crop.y * 100) / 100 };
}

function roundRect({ left, top, width, height }: Rect): Rect {
  return {
    left: Math.round(left),
    top: Math.round(top),
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.round(height)),
  };
}
