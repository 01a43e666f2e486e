import { readCoefficients } from "./coefficients.ts";
import { makePicture } from "./picture.ts";
import { makeSegment } from "./segments.ts";
import { type TestLayout, writeTestJpeg } from "./write-jpeg.ts";

const LAYOUTS: TestLayout[] = [
  { scans: [{ of: [0], restartInterval: 3 }, { of: [1], flipped: true }, { of: [2] }] },
  { scans: [{ of: [0, 1, 2], restartInterval: 2 }], wideSteps: true },
  {
    scans: [
      { of: [0, 1, 2], se: 0, al: 1 },
      ...[0, 1, 2].flatMap((i) => [
        { of: [i], ss: 1, se: 63, al: 2, restartInterval: 4 },
        { of: [i], ss: 1, se: 63, ah: 2, al: 1 },
        { of: [i], ss: 1, se: 63, ah: 1, al: 0, restartInterval: 5 },
      ]),
      { of: [0, 1, 2], se: 0, ah: 1, al: 0 },
    ],
  },
];

/** Small files of many kinds to be damaged. Dropping their comments makes every result smaller. */
export async function fuzzCorpus(): Promise<Buffer[]> {
  const picture = () => makePicture({ width: 45, height: 37 });
  const [plain, progressive, moz, fine, gray, cmyk, turned] = await Promise.all([
    picture().jpeg({ quality: 80 }).toBuffer(),
    picture().jpeg({ quality: 90, progressive: true, chromaSubsampling: "4:4:4" }).toBuffer(),
    picture().jpeg({ quality: 70, mozjpeg: true }).toBuffer(),
    picture().jpeg({ quality: 100, chromaSubsampling: "4:4:4", optimiseCoding: false }).toBuffer(),
    picture().toColourspace("b-w").jpeg({ quality: 85, progressive: true }).toBuffer(),
    picture().toColourspace("cmyk").jpeg({ quality: 75 }).toBuffer(),
    picture().withMetadata({ orientation: 6 }).jpeg({ quality: 60 }).toBuffer(),
  ]);
  const written = LAYOUTS.map((layout) => writeTestJpeg(readCoefficients(plain), layout));
  return [plain, progressive, moz, fine, gray, cmyk, turned, ...written].map((jpeg) => {
    const comment = makeSegment(0xfe, new Uint8Array(Math.ceil(jpeg.length / 2)));
    return Buffer.concat([jpeg.subarray(0, -2), comment, jpeg.subarray(-2)]);
  });
}
