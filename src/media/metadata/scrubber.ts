import type { MediaType } from "../../domain/media-types.ts";
import type { ScrubMode } from "../../domain/metadata-mode.ts";
import { Cursor, MAX_HEADER_BYTES, type Position } from "./cursor.ts";
import { PartBytes } from "./part-bytes.ts";
import { type GifState, newGifState, scrubGif } from "./scrub-gif.ts";
import { type IsoState, newIsoState, scrubIso } from "./scrub-iso.ts";
import { type JpegState, newJpegState, scrubJpeg } from "./scrub-jpeg.ts";
import { newPngState, type PngState, scrubPng } from "./scrub-png.ts";
import { newWebpState, scrubWebp, type WebpState } from "./scrub-webp.ts";

/** The work between two pauses, and the work of a step, in bytes that are searched. */
const SLICE_WORK = 2_560_000;
const STEP_WORK = 256;
/** The time of a slice on a slow machine. */
export const SLICE_MS = 3;

type FormatState =
  | { readonly format: "jpeg"; readonly jpeg: JpegState }
  | { readonly format: "png"; readonly png: PngState }
  | { readonly format: "webp"; readonly webp: WebpState }
  | { readonly format: "gif"; readonly gif: GifState }
  | { readonly format: "iso"; readonly iso: IsoState };

/** A file's state between two parts. It is JSON of a few kilobytes at most. */
export interface ScrubState {
  readonly mode: ScrubMode;
  readonly position: Position;
  /** The length of all parts up to here. */
  readonly passed: number;
  /** The last bytes, if they begin a header that ends in the next part. Latin-1. */
  readonly carried: string;
  readonly format: FormatState;
  /** Whether any byte has changed. */
  readonly hasChanged: boolean;
}

/** The state before a file's first byte; undefined if files of the type stay as they are (WebM, AVI). */
export function beginScrub(type: MediaType, mode: ScrubMode): ScrubState | undefined {
  const format = formatOf(type);
  if (format === undefined) return undefined;
  const position = { at: 0, fillEnd: 0, fillValue: 0, isDone: false };
  return { mode, position, passed: 0, carried: "", format, hasChanged: false };
}

function formatOf(type: MediaType): FormatState | undefined {
  switch (type) {
    case "image/jpeg":
      return { format: "jpeg", jpeg: newJpegState() };
    case "image/png":
      return { format: "png", png: newPngState() };
    case "image/webp":
      return { format: "webp", webp: newWebpState() };
    case "image/gif":
      return { format: "gif", gif: newGifState() };
    case "video/mp4":
    case "video/quicktime":
      return { format: "iso", iso: newIsoState() };
    default:
      return undefined;
  }
}

/**
 * Overwrites the metadata that a mode does not keep in the next bytes of a file (META-2). Neither pixels nor frames change, and the file keeps
 * its length and its offsets. If the file's own structure is damaged, all later bytes stay as they are.
 * @param pieces the next bytes, which are changed
 * @param pause called after every slice of the work (`SLICE_MS`)
 * @returns the state after them
 */
export async function scrubPart(
  before: ScrubState,
  pieces: readonly Uint8Array[],
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<ScrubState> {
  const state = structuredClone(before);
  const part = new PartBytes(pieces, state.passed, Buffer.from(state.carried, "latin1"));
  const { position, format } = state;
  const cursor = new Cursor(part, state.mode, position);
  let slices = 1;
  for (let steps = 1; !cursor.isDone && step(cursor, format); steps++) {
    for (; steps * STEP_WORK + part.searchedBytes >= slices * SLICE_WORK; slices++) await pause();
  }
  const carriedBytes = position.isDone ? 0 : Math.min(MAX_HEADER_BYTES, Math.max(0, part.end - position.at));
  const carried = Buffer.from(part.read(part.end - carriedBytes, carriedBytes)).toString("latin1");
  return { ...state, passed: part.end, carried, hasChanged: state.hasChanged || part.hasChanged };
}

/** @returns false if more bytes are needed */
function step(cursor: Cursor, state: FormatState): boolean {
  if (cursor.at >= cursor.part.end) return false;
  switch (state.format) {
    case "jpeg":
      return scrubJpeg(cursor, state.jpeg);
    case "png":
      return scrubPng(cursor, state.png);
    case "webp":
      return scrubWebp(cursor, state.webp);
    case "gif":
      return scrubGif(cursor, state.gif);
    case "iso": {
      const outcome = scrubIso(cursor, state.iso);
      if (outcome === "end") cursor.stop();
      return outcome === "on";
    }
  }
}
