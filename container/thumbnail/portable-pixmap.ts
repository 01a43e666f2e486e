/** Pixels as three bytes each, red, green, blue. */
export interface Frame {
  width: number;
  height: number;
  pixels: Buffer;
}

const HEADER = /^P6\s+(\d{1,5})\s+(\d{1,5})\s+255\s/;

/** The first image of a PPM stream (P6, 8 bits a sample); undefined where none is complete. */
export function parsePixmap(stream: Buffer): Frame | undefined {
  const header = HEADER.exec(stream.toString("latin1", 0, 32));
  if (header === null) return undefined;
  const [text, width, height] = [header[0], Number(header[1]), Number(header[2])];
  const end = text.length + width * height * 3;
  if (width === 0 || height === 0 || stream.length < end) return undefined;
  return { width, height, pixels: stream.subarray(text.length, end) };
}
