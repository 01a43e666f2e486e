import { type Head, headOf, UNKNOWN_HEAD } from "../head.ts";
import { readWebpBitstream, VP8_BYTES, VP8L_BYTES } from "./webp-bitstream.ts";
import { ANIMATION } from "./webp-flags.ts";

/** `RIFF`, the length of what follows, `WEBP`. */
const FILE_HEADER_BYTES = 12;
const RIFF_SIZE_AT = 4;
const RIFF_HEADER_BYTES = 8;
const CHUNK_HEADER_BYTES = 8;
const CANVAS_BYTES = 10;
/** RFC 9649, 2.7.1.1: X, Y, width and height of three bytes each, duration and flags. */
const FRAME_HEADER_BYTES = 16;
/** A file may hold millions that are empty. */
const MAX_CHUNKS = 20_000;

interface Chunk {
  readonly type: string;
  /** As far as it is at hand. */
  readonly data: Uint8Array;
  /** Of its data, by its header. */
  readonly sizeBytes: number;
  readonly view: DataView;
}

interface Place {
  readonly width: number;
  readonly height: number;
}

/**
 * The canvas, which the first chunk tells in one of three ways (RFC 9649, 2.5 to 2.7); browsers do not turn a WebP as its
 * Exif says. They show what has a picture of the canvas's size, or else an animation's frame that fits it.
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

/** A chunk that reaches beyond the file's own length: libwebp refuses the whole file. */
const BEYOND = "beyond";

/** Chunks up to the end of the bytes, with the last one that is cut short. */
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

/** @param place that it has to fill */
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
