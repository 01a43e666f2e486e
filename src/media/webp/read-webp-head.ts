import { type Head, headOf, UNKNOWN_HEAD } from "../bytes.ts";
import { ANIMATION } from "./webp-flags.ts";

/** `RIFF`, the length of the rest, `WEBP`. */
const FILE_HEADER_BYTES = 12;
const RIFF_SIZE_AT = 4;
const RIFF_HEADER_BYTES = 8;
const CHUNK_HEADER_BYTES = 8;
const CANVAS_BYTES = 10;
/** RFC 9649, 2.7.1.1: X, Y, width and height of three bytes each, duration and flags. */
const FRAME_HEADER_BYTES = 16;
/** The most chunks that are read: a file may contain millions of empty ones. */
const MAX_CHUNKS = 20_000;

interface Chunk {
  readonly type: string;
  /** The available part. */
  readonly data: Uint8Array;
  /** The data's length from the chunk's header. */
  readonly sizeBytes: number;
  readonly view: DataView;
}

interface Place {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the canvas size, which the first chunk contains in one of three forms (RFC 9649, 2.5 to 2.7). Browsers ignore a WebP's Exif
 * orientation. They show a picture of the canvas's size, or an animation whose first frame fits the canvas.
 */
export function readWebpHead(bytes: Uint8Array): Head {
  if (bytes.length < FILE_HEADER_BYTES) return UNKNOWN_HEAD;
  const riffBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(RIFF_SIZE_AT, true);
  const chunks = walkChunks(bytes, FILE_HEADER_BYTES, RIFF_HEADER_BYTES + riffBytes);
  const first = chunks.next().value;
  if (first === undefined) return UNKNOWN_HEAD;
  if (first === BEYOND) return { ...UNKNOWN_HEAD, shows: false };
  if (first.type !== "VP8X") {
    const { width = 0, height = 0 } = readWebpBitstream(first.type, first.data, first.sizeBytes) ?? {};
    return headOf(width, height, showsPicture(first, undefined));
  }
  if (first.data.length < CANVAS_BYTES) return UNKNOWN_HEAD;
  const canvas = { width: 1 + uint24(first.view, 4), height: 1 + uint24(first.view, 7) };
  const isAnimated = (first.view.getUint8(0) & ANIMATION) !== 0;
  return headOf(canvas.width, canvas.height, isAnimated ? showsFrame(chunks, canvas) : showsStill(chunks, canvas));
}

/** A chunk that exceeds the file's own length: libwebp refuses the whole file. */
const BEYOND = "beyond";

/** Walks the chunks, including an incomplete last chunk. */
function* walkChunks(bytes: Uint8Array, from: number, riffEnd: number): Generator<Chunk | typeof BEYOND, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = from;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + CHUNK_HEADER_BYTES <= Math.min(bytes.length, riffEnd); chunks++) {
    const begin = at + CHUNK_HEADER_BYTES;
    const sizeBytes = view.getUint32(at + 4, true);
    if (begin + sizeBytes > riffEnd) return yield BEYOND;
    const data = bytes.subarray(begin, begin + sizeBytes);
    yield {
      type: String.fromCharCode(...bytes.subarray(at, at + 4)),
      data,
      sizeBytes,
      view: new DataView(data.buffer, data.byteOffset, data.byteLength),
    };
    // Chunks of odd length are padded.
    at = begin + sizeBytes + (sizeBytes & 1);
  }
}

function showsStill(chunks: Iterable<Chunk | typeof BEYOND>, canvas: Place): boolean | undefined {
  for (const chunk of chunks) {
    if (chunk === BEYOND || chunk.type === "ANMF") return false;
    if (isPicture(chunk)) return showsPicture(chunk, canvas);
  }
  return undefined;
}

/** RFC 9649, 2.7.1.1: ANIM, then frames, each with a picture of its own size. */
function showsFrame(chunks: Iterable<Chunk | typeof BEYOND>, canvas: Place): boolean | undefined {
  let isAnnounced = false;
  for (const chunk of chunks) {
    if (chunk === BEYOND || isPicture(chunk)) return false;
    isAnnounced ||= chunk.type === "ANIM";
    if (chunk.type === "ANMF") return isAnnounced && showsFrameIn(chunk, canvas);
  }
  return undefined;
}

function showsFrameIn({ data, sizeBytes, view }: Chunk, canvas: Place): boolean | undefined {
  if (sizeBytes < FRAME_HEADER_BYTES) return false;
  if (data.length < FRAME_HEADER_BYTES) return undefined;
  const [left, top] = [2 * uint24(view, 0), 2 * uint24(view, 3)];
  const frame = { width: 1 + uint24(view, 6), height: 1 + uint24(view, 9) };
  if (left + frame.width > canvas.width || top + frame.height > canvas.height) return false;
  const shows = showsStill(walkChunks(data, FRAME_HEADER_BYTES, sizeBytes), frame);
  return shows === undefined && data.length === sizeBytes ? false : shows;
}

function isPicture({ type }: Chunk): boolean {
  return type === "VP8 " || type === "VP8L";
}

/** @param place that the picture must fill */
function showsPicture({ type, data, sizeBytes }: Chunk, place: Place | undefined): boolean | undefined {
  const headerBytes = type === "VP8L" ? VP8L_BYTES : VP8_BYTES;
  if (data.length <= headerBytes && data.length < sizeBytes) return undefined;
  const picture = readWebpBitstream(type, data, sizeBytes);
  if (picture === undefined || !picture.isSound || data.length <= headerBytes) return false;
  return place === undefined || (picture.width === place.width && picture.height === place.height);
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Facts from the header of a picture's bitstream. */
interface WebpBitstream {
  readonly width: number;
  readonly height: number;
  /** Whether libwebp, and so every viewer, accepts this header. */
  readonly isSound: boolean;
}

/** RFC 6386, 9.1: frame tag, start code, 14 bits each of width and height; the upper two are a scale. */
const VP8_BYTES = 10;
const MAX_VP8_PROFILE = 3;
/** RFC 9649, 3.4: signature, then 14 bits each of width and height less one, alpha, version. */
const VP8L_BYTES = 5;
const VP8L_SIGNATURE = 0x2f;

/**
 * Reads the header of a `VP8 ` or `VP8L` chunk. Undefined for other chunks and incomplete headers.
 * @param data the available part of the chunk's data
 * @param dataBytes the chunk's length
 */
function readWebpBitstream(type: string, data: Uint8Array, dataBytes: number): WebpBitstream | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (type === "VP8L") return readLossless(view);
  return type === "VP8 " ? readLossy(view, dataBytes) : undefined;
}

function readLossless(view: DataView): WebpBitstream | undefined {
  if (view.byteLength < VP8L_BYTES || view.getUint8(0) !== VP8L_SIGNATURE) return undefined;
  const bits = view.getUint32(1, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff), isSound: bits >>> 29 === 0 };
}

function readLossy(view: DataView, dataBytes: number): WebpBitstream | undefined {
  if (view.byteLength < VP8_BYTES) return undefined;
  if (view.getUint8(3) !== 0x9d || view.getUint16(4) !== 0x012a) return undefined;
  const tag = view.getUint16(0, true) | (view.getUint8(2) << 16);
  const [isKeyFrame, profile, isShown, firstPartBytes] = [(tag & 1) === 0, (tag >> 1) & 7, (tag >> 4) & 1, tag >> 5];
  const [width, height] = [view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff];
  const isSound = isKeyFrame && profile <= MAX_VP8_PROFILE && isShown === 1 && firstPartBytes < dataBytes;
  return { width, height, isSound: isSound && width > 0 && height > 0 };
}
