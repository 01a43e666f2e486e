import type { GrowingLease } from "../../isolate/memory-budget.ts";
import { ThreadShare } from "../../isolate/yield-thread.ts";
import { joinIccSegments, readJpegProfile } from "../../media/icc/jpeg-profile.ts";
import { isRgb } from "../../media/jpeg/colour-model.ts";
import { DECODING_LIMITS } from "../../media/jpeg/decode-reduced.ts";
import { JpegDeclined } from "../../media/jpeg/jpeg-declined.ts";
import type { JpegFile } from "../../media/jpeg/jpeg-file.ts";
import { decodeJpeg } from "../../media/jpeg/jsquash-jpeg.ts";
import { parseJpegStart } from "../../media/jpeg/parse-jpeg.ts";
import { readJpegHead } from "../../media/jpeg/read-jpeg-head.ts";
import { readProgressHead } from "../../media/jpeg/read-progress-head.ts";
import { reducedSideOf, resizeJpeg } from "../../media/jpeg/resize-jpeg.ts";
import { toRgba } from "../../media/jpeg/to-rgba.ts";
import { combineOrientations } from "../../media/resample/orientations.ts";
import { resamplePixels } from "../../media/resample/resample-pixels.ts";
import { upright, uprightPlane } from "../../media/resample/upright.ts";
import { type ChooseWindow, storedWindow, type Window } from "../../media/resample/window.ts";
import { growTo } from "../isolate-memory.ts";
import { PICTURE_ENGINES } from "./picture-engines.ts";
import {
  decodingBytes,
  firstBytes,
  isDecodedAtOnce,
  MAX_FILE_BYTES,
  type Picture,
  type PictureWork,
} from "./picture-work.ts";

/**
 * Reads a photo from only its DC coefficients if they give enough pixels. A progressive file has them in about its first fifth, which is
 * read in small steps. A sequential file has them everywhere.
 */
export async function readJpegPicture({
  file,
  lease,
  workBytes,
  turn = 1,
  choose,
  takesPlanes = false,
}: PictureWork): Promise<Picture> {
  const { sizeBytes } = file;
  for (let end = firstBytes(sizeBytes); ; ) {
    // The beginning of even the largest progressive file is enough.
    if (end > MAX_FILE_BYTES) return { outcome: "too-large" };
    await growTo(lease, workBytes + end);
    const bytes = await file.readTo(end);
    const isWhole = bytes.length === sizeBytes;
    const { isProgressive, orientation: own } = readProgressHead(bytes);
    const orientation = combineOrientations(own, turn);
    const window = windowOf(bytes, { own, orientation }, choose);
    if (isWhole && window === undefined) return { outcome: "impossible", reason: "Damaged" };
    const isFromDc = window !== undefined && reducedSideOf(window) === 1;
    if (window !== undefined && (isWhole || (isFromDc && isProgressive))) {
      const picture = await decode(bytes, { isWhole, window, orientation, takesPlanes, lease, workBytes });
      if (picture === "declined" && isWhole) return { outcome: "too-large" };
      if (picture === "declined") end = sizeBytes;
      else if (picture !== undefined) return picture;
    }
    const isEnoughInSight = end < sizeBytes / 2 && (window === undefined || (isFromDc && isProgressive !== false));
    end = isEnoughInSight ? end + Math.ceil(sizeBytes / 16) : sizeBytes;
  }
}

/** The window in the pixels as they are stored; undefined if the bytes do not contain the size. */
function windowOf(
  bytes: Uint8Array,
  { own, orientation }: { readonly own: number; readonly orientation: number },
  choose: ChooseWindow,
): JpegWindow | undefined {
  const upright = readJpegHead(bytes);
  if (upright.width === 0 || upright.height === 0) return undefined;
  const stored = own >= 5 ? { width: upright.height, height: upright.width } : upright;
  return { ...storedWindow(choose, stored, orientation), pixels: upright.width * upright.height };
}

interface JpegWindow extends Window {
  /** The size of the whole picture. */
  readonly pixels: number;
}

interface Decoding {
  readonly isWhole: boolean;
  readonly window: JpegWindow;
  readonly orientation: number;
  readonly takesPlanes: boolean;
  readonly lease: GrowingLease;
  readonly workBytes: number;
}

/** @returns undefined if more of the file is needed */
async function decode(bytes: Uint8Array<ArrayBuffer>, decoding: Decoding): Promise<Picture | "declined" | undefined> {
  const { isWhole, window } = decoding;
  if (reducedSideOf(window) === 8) return (await decodeWhole(bytes, decoding)) ?? (await decodePart(bytes, decoding));
  const picture = await decodePart(bytes, decoding);
  return picture === "declined" && isWhole ? ((await decodeWhole(bytes, decoding)) ?? picture) : picture;
}

async function decodePart(
  bytes: Uint8Array<ArrayBuffer>,
  decoding: Decoding,
): Promise<Picture | "declined" | undefined> {
  const { isWhole, window, orientation, takesPlanes } = decoding;
  try {
    const wanted = reducedSideOf(window) === 1 ? "dc" : "all";
    const file = parseJpegStart(bytes, DECODING_LIMITS, { isWhole, wanted });
    if (file === undefined) return undefined;
    const { iccSegments } = file.metadata;
    const profile = joinIccSegments(iccSegments);
    const { result } = window;
    const tools = openTools(decoding, bytes.length);
    if (takesPlanes && isGrayOrYcc(file)) {
      // Chroma has half the size, like in photos.
      const half = { width: Math.ceil(result.width / 2), height: Math.ceil(result.height / 2) };
      const planes = await resizeJpeg(tools, bytes, file, window, (i) => (i === 0 ? result : half));
      return { outcome: "planes", planes: planes.map((plane) => uprightPlane(plane, orientation)), profile };
    }
    const planes = await resizeJpeg(tools, bytes, file, window, () => result);
    const data = toRgba(
      file,
      planes.map(({ samples }) => samples),
    );
    return { outcome: "pixels", pixels: upright({ data, ...result }, orientation), profile };
  } catch (error) {
    if (error instanceof JpegDeclined) return "declined";
    throw error;
  }
}

function isGrayOrYcc(file: JpegFile): boolean {
  return file.components.length === 1 || (file.components.length === 3 && !isRgb(file));
}

/** @returns undefined if it has too many pixels or libjpeg gives up */
async function decodeWhole(
  bytes: Uint8Array<ArrayBuffer>,
  { window, orientation, lease, workBytes }: Decoding,
): Promise<Picture | undefined> {
  if (!isDecodedAtOnce(window.pixels, bytes.length)) return undefined;
  await growTo(lease, workBytes + bytes.length + decodingBytes(window.pixels, bytes.length));
  const decoded = await decodeJpeg(PICTURE_ENGINES.jpegDecoder, bytes);
  if (decoded === undefined) return undefined;
  const pixels = resamplePixels(PICTURE_ENGINES.resampler, decoded, window);
  return { outcome: "pixels", pixels: upright(pixels, orientation), profile: readJpegProfile(bytes) };
}

function openTools({ lease, workBytes }: Decoding, fileBytes: number) {
  const share = new ThreadShare();
  const { jpegEngine: engine, resampler } = PICTURE_ENGINES;
  return {
    engine,
    resampler,
    yieldIfDue: (stepMs: number) => share.yieldIfDue(stepMs),
    holdIfMore(engineBytes: number) {
      const neededBytes = workBytes + fileBytes + engineBytes;
      return neededBytes <= lease.bytes ? undefined : growTo(lease, neededBytes);
    },
  };
}
