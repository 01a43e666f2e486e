/** What the header of a picture's bitstream says. */
export interface WebpBitstream {
  readonly width: number;
  readonly height: number;
  /** Whether libwebp, and with it every viewer, decodes what begins so. */
  readonly isSound: boolean;
}

/** RFC 6386, 9.1: frame tag, start code, 14 bits each of width and height; the upper two are a scale. */
export const VP8_BYTES = 10;
const MAX_VP8_PROFILE = 3;
/** RFC 9649, 3.4: signature, then 14 bits each of width and height less one, alpha, version. */
export const VP8L_BYTES = 5;
const VP8L_SIGNATURE = 0x2f;

/**
 * The header of a `VP8 ` or `VP8L` chunk. Undefined where it is none, or not wholly there.
 * @param data the chunk's, as far as it is at hand
 * @param dataBytes the chunk's length
 */
export function readWebpBitstream(type: string, data: Uint8Array, dataBytes: number): WebpBitstream | undefined {
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
