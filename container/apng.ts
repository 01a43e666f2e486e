import { crc32 } from "node:zlib";
import type { SharpOptions } from "sharp";

/** Animated PNGs (PNG, third edition, 11.3.6 and 12.7.1), of which libvips reads only the first picture. */

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const CHUNK_BYTES = 12;
const CONTROL_BYTES = 26;
const SEQUENCE_BYTES = 4;
/** A delay's denominator of 0 means hundredths. */
const HUNDREDTHS = 100;
const PIXEL_BYTES = 4;
const OPAQUE = 255;
/** A frame's place after its time: it stays (0), is cleared, or gets its former picture back. */
const [, CLEAR, RESTORE] = [0, 1, 2];
const OVER = 1;

export interface ApngFrame {
  /** Compressed rows. */
  readonly data: readonly Buffer[];
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly delayMs: number;
  readonly dispose: number;
  readonly blend: number;
}

export interface Apng {
  readonly width: number;
  readonly height: number;
  /** The depth and kind of all frames' samples. */
  readonly samples: Buffer;
  /** Whole chunks for all frames: the palette, its transparency, colours. */
  readonly shared: readonly Buffer[];
  /** 0: for ever. */
  readonly loop: number;
  readonly frames: readonly ApngFrame[];
}

/** @returns undefined if the PNG is no animation, or a damaged one */
export function readApng(file: Buffer): Apng | undefined {
  let header: Buffer | undefined;
  let loop: number | undefined;
  let control: Buffer | undefined;
  let data: Buffer[] = [];
  const shared: Buffer[] = [];
  let isBeforePicture = true;
  const frames: ApngFrame[] = [];
  const endFrame = (): boolean => {
    if (control === undefined || header === undefined) return true;
    const frame = toFrame(header, control, data);
    if (frame !== undefined) frames.push(frame);
    [control, data] = [undefined, []];
    return frame !== undefined;
  };
  for (let at = SIGNATURE.length; at + CHUNK_BYTES <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + length);
    if (content.length < length) return undefined;
    at += CHUNK_BYTES + length;
    if (type === "IHDR") header = content;
    else if (type === "acTL" && length >= 8) loop = content.readUInt32BE(4);
    else if (type === "fcTL") {
      if (length !== CONTROL_BYTES || !endFrame()) return undefined;
      control = content;
    } else if (type === "IDAT") {
      isBeforePicture = false;
      // A picture without a control is no frame of the animation.
      if (control !== undefined) data.push(content);
    } else if (type === "fdAT") data.push(content.subarray(SEQUENCE_BYTES));
    else if (type === "IEND") break;
    else if (isBeforePicture) shared.push(chunk(type, content));
  }
  if (header === undefined || loop === undefined || !endFrame() || frames.length === 0) return undefined;
  const [width, height, samples] = [header.readUInt32BE(0), header.readUInt32BE(4), header.subarray(8)];
  return { width, height, samples, shared, loop, frames };
}

/** @returns undefined if it is not within the canvas, or has no data */
function toFrame(header: Buffer, control: Buffer, data: readonly Buffer[]): ApngFrame | undefined {
  const [width = 0, height = 0, left = 0, top = 0] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at));
  const isWithin = left + width <= header.readUInt32BE(0) && top + height <= header.readUInt32BE(4);
  if (width === 0 || height === 0 || !isWithin || data.length === 0) return undefined;
  const delayMs = Math.round((1000 * control.readUInt16BE(20)) / (control.readUInt16BE(22) || HUNDREDTHS));
  const [dispose, blend] = [control.readUInt8(24), control.readUInt8(25)];
  return { data, left, top, width, height, delayMs, dispose, blend };
}

/** A frame as a PNG of its own. */
function toPng({ samples, shared }: Apng, { width, height, data }: ApngFrame): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const header = chunk("IHDR", Buffer.concat([size, samples]));
  return Buffer.concat([SIGNATURE, header, ...shared, chunk("IDAT", Buffer.concat(data)), chunk("IEND")]);
}

function chunk(type: string, content: Uint8Array = new Uint8Array(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/**
 * Draws all frames, one below the other, as sharp reads animations.
 * @param decode returns a frame's pixels: red, green, blue, alpha
 */
export async function drawApng(
  apng: Apng,
  decode: (png: Buffer) => Promise<Buffer>,
): Promise<{ pixels: Buffer; raw: NonNullable<SharpOptions["raw"]> }> {
  const { width, height, frames } = apng;
  const canvas = Buffer.alloc(width * height * PIXEL_BYTES);
  const pixels = Buffer.alloc(canvas.length * frames.length);
  for (const [index, frame] of frames.entries()) {
    const former = frame.dispose === RESTORE && index > 0 ? Buffer.from(canvas) : undefined;
    const drawn = await decode(toPng(apng, frame));
    forEachRow(frame, width, (at, from, length) => draw(canvas, at, drawn.subarray(from, from + length), frame.blend));
    canvas.copy(pixels, index * canvas.length);
    if (former !== undefined) former.copy(canvas);
    // The first frame has no former picture: it is cleared.
    else if (frame.dispose === CLEAR || frame.dispose === RESTORE)
      forEachRow(frame, width, (at, _, length) => canvas.fill(0, at, at + length));
  }
  return { pixels, raw: { width, height: height * frames.length, channels: PIXEL_BYTES, pageHeight: height } };
}

/** Calls with a row's place on the canvas, its place in the frame, and its length; in bytes. */
function forEachRow(
  { left, top, width, height }: ApngFrame,
  canvasWidth: number,
  call: (at: number, from: number, length: number) => void,
): void {
  for (let y = 0; y < height; y++)
    call(((top + y) * canvasWidth + left) * PIXEL_BYTES, y * width * PIXEL_BYTES, width * PIXEL_BYTES);
}

function draw(canvas: Buffer, at: number, row: Buffer, blend: number): void {
  if (blend !== OVER) {
    row.copy(canvas, at);
    return;
  }
  for (let from = 0; from < row.length; from += PIXEL_BYTES) drawOver(canvas, at + from, row, from);
}

/** PNG, third edition, 13.16: a pixel over another. */
function drawOver(canvas: Buffer, at: number, row: Buffer, from: number): void {
  const alpha = row[from + 3] ?? 0;
  if (alpha === 0) return;
  const below = ((canvas[at + 3] ?? 0) * (OPAQUE - alpha)) / OPAQUE;
  const sum = alpha + below;
  for (let sample = 0; sample < 3; sample++) {
    const [over, under] = [row[from + sample] ?? 0, canvas[at + sample] ?? 0];
    canvas[at + sample] = Math.round((over * alpha + under * below) / sum);
  }
  canvas[at + 3] = Math.round(sum);
}
