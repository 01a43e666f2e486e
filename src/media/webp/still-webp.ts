import { type RiffChunk, readRiffChunks, riffFile } from "./riff-chunks.ts";
import { ALPHA } from "./webp-flags.ts";

const MAX_CHUNKS = 1000;
/** RFC 9649, 2.7.1.1: X, Y, width and height of three bytes each, duration and flags. */
const FRAME_HEADER_BYTES = 16;
const CHUNK_HEADER_BYTES = 8;
const FILE_HEADER_BYTES = 12;

/** A picture for libwebp's decoder, and its position on the canvas. */
export interface StillWebp {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly left: number;
  readonly top: number;
  /** Whether the first frame of an animation is complete. */
  readonly isWhole: boolean;
  /** Whether the picture or its alpha is lossless. */
  readonly isLossless: boolean;
}

/**
 * Makes a file of an animation's first frame. A still WebP is returned unchanged.
 * @returns undefined if there is no frame
 */
export function stillOf(file: Uint8Array<ArrayBuffer>): StillWebp | undefined {
  const chunks = firstChunks(file);
  if (!chunks.some(({ type }) => type === "ANIM")) {
    return { file, left: 0, top: 0, isWhole: false, isLossless: chunks.some(isLossless) };
  }
  const frame = chunks.find(({ type }) => type === "ANMF")?.data;
  if (frame === undefined || frame.length < FRAME_HEADER_BYTES) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  const parts = firstChunks(afterHeader(frame)).filter(({ type }) => ["ALPH", "VP8 ", "VP8L"].includes(type));
  if (parts.length === 0) return undefined;
  const header = new Uint8Array(10);
  header[0] = ALPHA;
  header.set(frame.subarray(6, 12), 4);
  const isVp8l = parts.some(({ type }) => type === "VP8L");
  const still = riffFile(isVp8l ? parts : [{ type: "VP8X", data: header }, ...parts]);
  return { file: still, left: 2 * uint24(0), top: 2 * uint24(3), isWhole: true, isLossless: parts.some(isLossless) };
}

function isLossless({ type }: RiffChunk): boolean {
  return type === "VP8L" || type === "ALPH";
}

/** Stops after MAX_CHUNKS, because a file may contain millions of tiny ones. */
function firstChunks(file: Uint8Array): RiffChunk[] {
  const chunks: RiffChunk[] = [];
  for (const chunk of readRiffChunks(file)) {
    chunks.push(chunk);
    if (chunks.length === MAX_CHUNKS) break;
  }
  return chunks;
}

/** A frame's chunks in the form of a file. */
function afterHeader(frame: Uint8Array): Uint8Array {
  const file = new Uint8Array(FILE_HEADER_BYTES + Math.max(CHUNK_HEADER_BYTES, frame.length - FRAME_HEADER_BYTES));
  file.set(frame.subarray(FRAME_HEADER_BYTES), FILE_HEADER_BYTES);
  return file;
}
