import { PNG_SIGNATURE, pngChunk } from "../../../src/media/png/png-chunks.ts";
import { headerData } from "../../../src/media/png/png-header.ts";

/** A gradient as a PNG, made by what Node and workerd both have. */
export async function makePng(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const rows = new Uint8Array(height * (1 + 3 * width));
  for (let y = 0, at = 0; y < height; y++) {
    rows[at++] = 0;
    for (let x = 0; x < width; x++, at += 3) rows.set([x & 255, y & 255, (x + y) & 255], at);
  }
  const packed = new Response(rows).body?.pipeThrough(new CompressionStream("deflate"));
  const header = headerData({ width, height, bitDepth: 8, colourType: 2, isInterlaced: false });
  const chunks = [
    pngChunk("IHDR", header),
    pngChunk("IDAT", await new Response(packed).bytes()),
    pngChunk("IEND", new Uint8Array()),
  ];
  return new Response(new Blob([PNG_SIGNATURE, ...chunks])).bytes() as Promise<Uint8Array<ArrayBuffer>>;
}
