import sharp from "sharp";
import { readChunks, SIGNATURE, writeChunk } from "./chunks.ts";
import { INDEXED, type PngHeader, writeHeader } from "./header.ts";

/**
 * The image data as sharp's zlib writes it without filters: over text and flat colours that is a good deal less than Node's
 * does. sharp is shown the pixels alone, without chunks that tell how they are meant, so it has nothing to convert.
 * @returns undefined where the pixels would not come back in the same form
 */
export async function deflateUnfiltered(header: PngHeader, idat: readonly Buffer[]): Promise<Buffer[] | undefined> {
  if (header.interlaced || header.bitDepth < 8 || header.colorType === INDEXED) return undefined;
  const bare = Buffer.concat([
    SIGNATURE,
    writeChunk("IHDR", writeHeader(header)),
    ...idat.map((data) => writeChunk("IDAT", data)),
    writeChunk("IEND", Buffer.alloc(0)),
  ]);
  const picture = sharp(bare, { sequentialRead: true, limitInputPixels: false });
  const { space } = await picture.metadata();
  const result = await picture
    .toColourspace(space)
    .png({ compressionLevel: 9, adaptiveFiltering: false, palette: false })
    .toBuffer();
  const chunks = [...readChunks(result)];
  const isSameForm = chunks[0]?.data.equals(writeHeader(header)) === true;
  return isSameForm ? chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data) : undefined;
}
