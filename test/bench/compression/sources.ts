import sharp, { type JpegOptions, type PngOptions, type Sharp, type WebpOptions } from "sharp";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { drawLogo, drawScreenshot } from "./drawings.ts";
import { encodeJpeg422 } from "./ffmpeg.ts";
import { cutOut, draw, photograph, photographDeep, scanPage, withPhoto } from "./pictures.ts";

/** A file as a camera or a program would write it. */
export interface Source {
  readonly name: string;
  readonly type: MediaType;
  readonly file: Buffer;
  readonly megapixels: number;
  /** Its pixels must not change. */
  readonly isLossless: boolean;
}

interface Recipe extends Pick<Source, "name" | "type" | "isLossless"> {
  /** Undefined if the program to make it is missing. */
  make(): Promise<Buffer | undefined>;
}

/** Every run makes the same set. */
export async function makeSources(): Promise<Source[]> {
  const sources: Source[] = [];
  for (const { make, ...about } of RECIPES) {
    const file = await make();
    if (file === undefined) {
      console.log(`  ${about.name}: left out, ffmpeg is not in PATH`);
      continue;
    }
    const { width, height } = await sharp(file).metadata();
    sources.push({ ...about, file, megapixels: (width * height) / 1e6 });
  }
  return sources;
}

type Making = Sharp | Promise<Sharp>;

function jpeg(name: string, picture: () => Sharp, options: JpegOptions): Recipe {
  return {
    name: `JPEG ${name}`,
    type: "image/jpeg",
    isLossless: false,
    make: () => picture().jpeg(options).toBuffer(),
  };
}

/** Level 6 without filters: the output of most programs. */
function png(name: string, picture: () => Making, options: PngOptions = {}): Recipe {
  return {
    name: `PNG ${name}`,
    type: "image/png",
    isLossless: true,
    make: async () => (await picture()).png(options).toBuffer(),
  };
}

function webp(name: string, picture: () => Making, options: WebpOptions): Recipe {
  return {
    name: `WebP ${name}`,
    type: "image/webp",
    isLossless: options.lossless === true,
    make: async () => (await picture()).webp(options).toBuffer(),
  };
}

const RECIPES: readonly Recipe[] = [
  jpeg("1 MP", () => photograph(1200, 900, 1), { quality: 92 }),
  jpeg("1 MP progressive", () => photograph(1152, 864, 2), { quality: 93, progressive: true }),
  {
    name: "JPEG 4 MP 4:2:2",
    type: "image/jpeg",
    isLossless: false,
    make: async () => encodeJpeg422(await photograph(2304, 1728, 3).png({ compressionLevel: 0 }).toBuffer()),
  },
  jpeg("4 MP 4:4:4, progressive", () => photograph(2304, 1728, 4), {
    quality: 95,
    progressive: true,
    chromaSubsampling: "4:4:4",
  }),
  jpeg("12 MP, P3 profile", () => photograph(4032, 3024, 5).withIccProfile("p3"), { quality: 93 }),
  jpeg("12 MP, quality 95", () => photograph(4000, 3000, 6), { quality: 95 }),
  jpeg("12 MP progressive", () => photograph(4032, 3024, 7), { quality: 92, progressive: true }),
  jpeg("24 MP", () => photograph(6000, 4000, 8), { quality: 94 }),
  jpeg("24 MP progressive", () => photograph(6000, 4000, 9), { quality: 92, progressive: true }),
  jpeg("48 MP", () => photograph(8064, 6048, 10), { quality: 93 }),
  jpeg("48 MP progressive", () => photograph(8064, 6048, 11), { quality: 92, progressive: true }),

  png("screenshot 2 MP", () => draw(drawScreenshot(1920, 1080, 12)).removeAlpha()),
  png("screenshot 1.3 MP, alpha", () => draw(drawScreenshot(1440, 900, 13)).ensureAlpha()),
  png("screenshot 4 MP", () => draw(drawScreenshot(2560, 1600, 14)).removeAlpha()),
  png("screenshot with photo", () => withPhoto(drawScreenshot(1728, 1117, 15), 16)),
  png("flat, alpha", () => draw(drawLogo(1024, 17))),
  png("palette 2 MP", () => draw(drawScreenshot(1920, 1080, 18)).removeAlpha(), { palette: true, colours: 128 }),
  png("gray scan 2 MP", () => scanPage(1240, 1754, 19)),
  png("16-bit photo 0.7 MP", () => photographDeep(960, 720, 20)),
  png("photo 1 MP", () => photograph(1200, 900, 21)),
  png("photo 4 MP", () => photograph(2304, 1728, 22)),
  // A photo of this number of pixels is over the size up to which images are compressed.
  png("screenshot 24 MP", () => draw(drawScreenshot(6000, 4000, 30)).removeAlpha()),

  webp("photo 1 MP", () => photograph(1200, 900, 23), { quality: 90 }),
  webp("photo 2 MP", () => photograph(1632, 1224, 24), { quality: 92 }),
  webp("photo 3 MP", () => photograph(2000, 1500, 25), { quality: 95 }),
  webp("cut-out 1 MP, alpha", () => cutOut(1200, 900, 26), { quality: 90 }),
  webp("flat, lossless", () => draw(drawLogo(1024, 27)), { lossless: true, effort: 0 }),
  webp("photo 12 MP", () => photograph(4032, 3024, 28), { quality: 92 }),

  {
    name: "GIF flat",
    type: "image/gif",
    isLossless: true,
    make: () =>
      draw(drawScreenshot(1024, 768, 29))
        .gif({ colours: 128, dither: 0 })
        .toBuffer(),
  },
];
