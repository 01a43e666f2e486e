import type { MediaType } from "../domain/media-types.ts";
import { mayMove } from "../domain/variants/moving.ts";
import { FORMAT_TYPES, type Variant } from "../domain/variants/variant.ts";
import { geometryOf, MAX_ORDERED_PIXELS, pixelsOf, type VariantGeometry } from "../domain/variants/variant-geometry.ts";
import type { GrowingLease } from "../isolate/memory-budget.ts";
import { ThreadShare } from "../isolate/yield-thread.ts";
import { concatBytes } from "../media/bytes.ts";
import { readHead } from "../media/first-bytes.ts";
import { iccSegmentsOf } from "../media/icc/jpeg-profile.ts";
import { withWebpProfile } from "../media/icc/webp-profile.ts";
import { encodeJpeg, type SamplePlane } from "../media/jpeg/encode-jpeg.ts";
import { planesOfPixels } from "../media/jpeg/planes-of-pixels.ts";
import { busiestPart } from "../media/pixels/busiest-part.ts";
import { blurPixels, CLEAR, cutPixels, flatten, isOpaque, onCanvas } from "../media/pixels/edit-pixels.ts";
import { encodePng } from "../media/png/encode-png.ts";
import { orientationOf } from "../media/resample/orientations.ts";
import type { ChooseWindow, Size } from "../media/resample/window.ts";
import type { Pixels } from "../media/webp/webp-engine.ts";
import { growTo, isolateMemory } from "./isolate-memory.ts";
import { webpEngine } from "./libwebp.ts";
import { isAnimated } from "./picture/is-animated.ts";
import { PICTURE_ENGINES } from "./picture/picture-engines.ts";
import { firstBytes, MAX_FILE_BYTES, maxPictureBytes, type Picture, type PictureWork } from "./picture/picture-work.ts";
import { readPicture } from "./picture/read-picture.ts";
import type { SourceFile } from "./picture/source-file.ts";
import { workOn } from "./picture/work-on.ts";
import { type EncodingMemory, encodingMemory, MAX_PIXELS as MAX_WEBP_PIXELS, webpBlockingMs } from "./webp-memory.ts";

const MIB = 1024 * 1024;
/** Memory for rows and engines besides the result's pixels. */
const ROWS_BYTES = 8 * MIB;
/** Memory for planes and their coefficients, or for pixels, their edited copy and an encoder. */
const PLANE_PIXEL_BYTES = 4;
const PIXEL_BYTES = 16;
/** Larger results are made by the media processor, because they would use the thread or the memory for too long. */
const MAX_PLANE_PIXELS = 8_000_000;
const MAX_PIXELS = 2_100_000;
/** The most memory of a result besides a WebP. */
const MOST_WORK_BYTES = ROWS_BYTES + PIXEL_BYTES * MAX_PIXELS;
/** libwebp's effort, 0 to 6. Compared with the usual 4, a photo takes 2.5 % fewer bytes and up to 11 % more time; 6 takes half as much time again. */
const EFFORT = 5;
/** The standard deviation, in pixels, of each step of imgix's strength. */
const BLUR_PIXELS = 1 / 20;
const WHITE = [255, 255, 255, 255];

/** A stored image whose variant is wanted. */
export interface VariantTask {
  readonly type: MediaType;
  readonly sizeBytes: number;
  readonly variant: Variant;
  /** Whether a media processor makes the variants that move. Otherwise they show the first frame. */
  readonly leavesMoving?: boolean;
}

export type VariantAnswer =
  | {
      readonly outcome: "made";
      readonly type: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** Whether the image is an animation. The variant then shows its first frame. */
      readonly isFirstFrame: boolean;
    }
  /** A retry cannot make the variant either. */
  | { readonly outcome: "impossible"; readonly reason: string }
  /** The media processor may be able to make it: it is too large, or moves. */
  | { readonly outcome: "too-large" }
  /** No memory was free in time. */
  | { readonly outcome: "busy" };

/**
 * Makes a variant of an image: upright, at its size, without metadata but the colour profile.
 * @param stream the image's bytes; it is read as far as needed, then cancelled
 * @throws Error if the file cannot be read or an engine fails
 */
export async function makeVariant(
  { type, sizeBytes, variant, leavesMoving = false }: VariantTask,
  stream: ReadableStream<Uint8Array>,
): Promise<VariantAnswer> {
  const mostWorkBytes = variant.format === "webp" ? isolateMemory.totalBytes : MOST_WORK_BYTES;
  return workOn(stream, { type, sizeBytes, mostWorkBytes }, async (file, lease) => {
    const size = await readSize(type, file, lease);
    if (size === undefined) return { outcome: "impossible", reason: "No size" };
    const work = workOf(variant, size);
    const { resultPixels, takesPlanes } = work;
    const isOurs = resultPixels <= maxPixelsOf(variant, takesPlanes);
    if (!isOurs && resultPixels > MAX_ORDERED_PIXELS) return { outcome: "impossible", reason: "Too many pixels" };
    if (!isOurs) return { outcome: "too-large" };
    const { workBytes, turn, choose } = work;
    lease.shrinkTo(
      maxPictureBytes(type, sizeBytes, Math.max(MOST_WORK_BYTES, workBytes + encoderGrowth(work, variant))),
    );
    const picture = await readPicture({ type, file, lease, workBytes, takesPlanes, turn, choose });
    if (picture.outcome !== "pixels" && picture.outcome !== "planes") return picture;
    const isFirstFrame = isAnimated(type, file.known);
    if (isFirstFrame && leavesMoving && mayMove(type, variant)) return { outcome: "too-large" };
    const bytes = await encode(edit(picture, variant, work.geometry), variant, lease);
    return { outcome: "made", type: FORMAT_TYPES[variant.format], bytes, isFirstFrame };
  });
}

/** The upright picture's size. A large profile may precede it in the file. */
async function readSize(type: MediaType, file: SourceFile, lease: GrowingLease): Promise<Size | undefined> {
  const most = Math.min(file.sizeBytes, MAX_FILE_BYTES);
  for (const end of [Math.min(most, firstBytes(file.sizeBytes)), most]) {
    await growTo(lease, ROWS_BYTES + end);
    const { width, height } = readHead(type, await file.readTo(end), end === file.sizeBytes);
    if (width > 0 && height > 0) return { width, height };
  }
  return undefined;
}

interface VariantWork extends Pick<PictureWork, "workBytes" | "choose"> {
  readonly takesPlanes: boolean;
  readonly turn: number;
  readonly geometry: VariantGeometry;
  readonly resultPixels: number;
}

/** @param upright the source's size before the variant's own rotation */
function workOf(variant: Variant, upright: { readonly width: number; readonly height: number }): VariantWork {
  const turn = orientationOf(variant.flip, variant.rotation);
  const shown = turn >= 5 ? { width: upright.height, height: upright.width } : upright;
  const geometry = geometryOf(shown, variant);
  const { part, picture } = geometry;
  const resultPixels = pixelsOf(geometry);
  const isPlain = variant.fit !== "fill" && variant.blur === 0 && geometry.cut === undefined;
  const takesPlanes = variant.format === "jpg" && isPlain;
  const choose: ChooseWindow = () => ({ ...part, result: picture });
  const workBytes = ROWS_BYTES + resultPixels * (takesPlanes ? PLANE_PIXEL_BYTES : PIXEL_BYTES);
  return { takesPlanes, workBytes, turn, choose, geometry, resultPixels };
}

/** The Codec Worker makes no AVIF. */
function maxPixelsOf({ format }: Variant, takesPlanes: boolean): number {
  if (takesPlanes) return MAX_PLANE_PIXELS;
  return { jpg: MAX_PIXELS, png: MAX_PIXELS, webp: MAX_WEBP_PIXELS.lossy, avif: 0 }[format];
}

/** The most memory that libwebp's encoder takes beyond the share of the result's pixels. */
function encoderGrowth({ resultPixels }: VariantWork, { format, quality }: Variant): number {
  return format === "webp" ? growthOf(resultPixels, encodingMemory(resultPixels, quality, false)) : 0;
}

/** When the encoder begins, only the picture itself is left of the memory for pixels. */
function growthOf(pixels: number, { heldBytes }: EncodingMemory): number {
  return Math.max(0, heldBytes - (PIXEL_BYTES - 4) * pixels);
}

type MadePicture = Extract<Picture, { outcome: "pixels" | "planes" }>;

function edit(picture: MadePicture, variant: Variant, { canvas, cut }: VariantGeometry): MadePicture {
  if (picture.outcome === "planes") return picture;
  let { pixels } = picture;
  if (cut !== undefined) pixels = cutPixels(pixels, { ...busiestPart(pixels, cut), ...cut });
  if (variant.blur > 0) pixels = blurPixels(pixels, variant.blur * BLUR_PIXELS);
  const ground = readColour(variant.background) ?? (variant.format === "jpg" ? WHITE : CLEAR);
  if (variant.fit === "fill") pixels = onCanvas(pixels, canvas, ground);
  if (variant.format === "jpg" || variant.background !== undefined) flattenIfNeeded(pixels, ground);
  return { ...picture, pixels };
}

/** A fully transparent background changes nothing. */
function flattenIfNeeded(pixels: Pixels, ground: readonly number[]): void {
  if (ground[3] === 255 && !isOpaque(pixels)) flatten(pixels, ground);
}

function readColour(background: string | undefined): number[] | undefined {
  return background?.match(/../g)?.map((pair) => Number.parseInt(pair, 16));
}

async function encode(
  picture: MadePicture,
  { format, quality }: Variant,
  lease: GrowingLease,
): Promise<Uint8Array<ArrayBuffer>> {
  const share = new ThreadShare();
  const yieldIfDue = (stepMs: number) => share.yieldIfDue(stepMs);
  const isGray = picture.outcome === "planes" && picture.planes.length === 1;
  const profile = isProfileOf(picture.profile, isGray ? "GRAY" : "RGB ") ? picture.profile : undefined;
  if (format === "jpg") {
    const planes = picture.outcome === "planes" ? sampled(picture.planes) : planesOfPixels(picture.pixels);
    const [first] = planes;
    const { width = 1, height = 1 } = first ?? {};
    const iccSegments = profile === undefined ? [] : iccSegmentsOf(profile);
    const drawing = { width, height, planes, quality, iccSegments };
    return concatBytes(await encodeJpeg(PICTURE_ENGINES.jpegEngine, drawing, () => yieldIfDue));
  }
  if (picture.outcome === "planes") throw new Error("Only a JPEG is made of planes");
  if (format === "png") {
    return concatBytes(await encodePng(picture.pixels, profile, { engine: PICTURE_ENGINES.pngEngine, yieldIfDue }));
  }
  const webp = await encodeWebp(picture.pixels, quality, lease);
  return profile === undefined ? webp : withWebpProfile(webp, profile, picture.pixels);
}

/** @throws EngineMemoryError if it needs more memory than the isolate has for it */
async function encodeWebp(pixels: Pixels, quality: number, lease: GrowingLease): Promise<Uint8Array<ArrayBuffer>> {
  const count = pixels.width * pixels.height;
  const memory = encodingMemory(count, quality, isOpaque(pixels));
  await growTo(lease, lease.bytes + growthOf(count, memory));
  // libwebp cannot pause, so other requests get their turns first.
  await new ThreadShare().yieldIfDue(webpBlockingMs(count));
  const { encoderBytes, savesMemory } = memory;
  return webpEngine.encode(pixels, {
    quality,
    savesMemory,
    lossless: false,
    effort: EFFORT,
    maxMemoryBytes: encoderBytes,
  });
}

/** Whether a profile is for these colours (ICC.1, 7.2.6). A profile for inks or gray would be wrong for RGB. */
function isProfileOf(profile: Uint8Array | undefined, space: string): boolean {
  return profile !== undefined && String.fromCharCode(...profile.subarray(16, 20)) === space;
}

/** Adds the sampling factors of planes whose chroma has half the size. A gray picture has one plane. */
function sampled(planes: Extract<Picture, { outcome: "planes" }>["planes"]): SamplePlane[] {
  return planes.map((plane, i) => {
    const factor = i === 0 && planes.length > 1 ? 2 : 1;
    return { ...plane, h: factor, v: factor };
  });
}
