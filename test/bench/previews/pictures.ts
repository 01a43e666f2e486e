import sharp from "sharp";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { drawScreenshot } from "../compression/drawings.ts";
import { draw, photograph } from "../compression/pictures.ts";

export interface Picture {
  readonly name: string;
  readonly type: MediaType;
  readonly file: Buffer;
}

const [WIDTH, HEIGHT] = [4032, 3024];

/** A picture of each kind for which the Codec Worker makes previews. */
export async function makePictures(): Promise<Picture[]> {
  const { data, info } = await photograph(WIDTH, HEIGHT, 5).raw().toBuffer({ resolveWithObject: true });
  const photo = () => sharp(data, { raw: info });
  const screen = () => draw(drawScreenshot(1920, 1080, 12)).removeAlpha();
  const pictures: readonly (readonly [name: string, type: MediaType, file: Promise<Buffer>])[] = [
    ["JPEG 12 MP", "image/jpeg", photo().jpeg({ quality: 90 }).toBuffer()],
    ["JPEG 12 MP progressive", "image/jpeg", photo().jpeg({ quality: 65, mozjpeg: true }).toBuffer()],
    ["JPEG 1.2 MP", "image/jpeg", photo().resize(1280, 960).jpeg({ quality: 90 }).toBuffer()],
    ["JPEG 0.1 MP", "image/jpeg", photo().resize(400, 300).jpeg({ quality: 90 }).toBuffer()],
    ["PNG 2 MP", "image/png", screen().png().toBuffer()],
    ["PNG 0.5 MP", "image/png", photo().resize(800, 600).png().toBuffer()],
    ["GIF 2 MP", "image/gif", screen().gif({ colours: 128, dither: 0 }).toBuffer()],
    ["WebP 1 MP", "image/webp", photo().resize(1200, 900).webp({ quality: 85 }).toBuffer()],
  ];
  return Promise.all(pictures.map(async ([name, type, file]) => ({ name, type, file: await file })));
}
