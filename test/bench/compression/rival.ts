import sharp, { type Sharp } from "sharp";
import type { Source } from "./sources.ts";

/** The quality for both sides: the product's default. */
export const QUALITY = 65;

export interface RivalResult {
  readonly file: Buffer;
  /** The time of the smallest result. */
  readonly seconds: number;
  /** The time to find the smallest. */
  readonly allSeconds: number;
}

/** sharp on one thread, from buffer to buffer; the colour profile is kept. */
export async function compressWithSharp({ type, file, isLossless }: Source): Promise<RivalResult> {
  sharp.concurrency(1);
  sharp.cache(false);
  // A gray or 16-bit PNG stays one.
  const { space } = await sharp(file).metadata();
  switch (type) {
    case "image/jpeg":
      return smallest([
        () => sharp(file).keepIccProfile().jpeg({ quality: QUALITY, mozjpeg: true, progressive: true }),
      ]);
    case "image/webp":
      return smallest([
        () =>
          sharp(file)
            .keepIccProfile()
            .webp(isLossless ? { lossless: true } : { quality: QUALITY }),
      ]);
    default:
      return smallest(
        [false, true].map((adaptiveFiltering) => () => {
          return sharp(file).toColourspace(space).keepIccProfile().png({ compressionLevel: 9, adaptiveFiltering });
        }),
      );
  }
}

async function smallest(tries: readonly (() => Sharp)[]): Promise<RivalResult> {
  const results: RivalResult[] = [];
  for (const start of tries) {
    const started = performance.now();
    const file = await start().toBuffer();
    const seconds = (performance.now() - started) / 1000;
    results.push({ file, seconds, allSeconds: seconds });
  }
  const [best] = results.toSorted((a, b) => a.file.length - b.file.length);
  if (best === undefined) throw new Error("Nothing was tried");
  return { ...best, allSeconds: results.reduce((sum, { seconds }) => sum + seconds, 0) };
}
