import { APP0, DAC, DQT, SOF0, SOS } from "../../../src/media/jpeg/markers.ts";
import { readCoefficients } from "./coefficients.ts";
import { makePicture } from "./picture.ts";
import { type JpegSegment, joinJpeg, makeSegment, splitJpeg, withBallast } from "./segments.ts";
import { type TestScan, writeTestJpeg } from "./write-jpeg.ts";

/** A JPEG that violates T.81, but that libjpeg decodes and browsers show. */
export interface LenientJpeg {
  readonly label: string;
  readonly bytes: Buffer;
  /** A sound file with the same picture; the file itself if libjpeg accepts it. */
  readonly sound: Buffer;
}

const DC: TestScan = { of: [0, 1, 2], se: 0 };
const acScans = (rest: Partial<TestScan>) => [0, 1, 2].map((index) => ({ of: [index], ss: 1, se: 63, ...rest }));
const ALONE: TestScan[] = [{ of: [0] }, { of: [1] }, { of: [2] }];

/** Files of 96 x 64 pixels, all of which a recompression makes smaller. */
export async function makeLenientJpegs(): Promise<LenientJpeg[]> {
  const jpeg = makePicture({ width: 96, height: 64 }).jpeg({ quality: 90, chromaSubsampling: "4:4:4" });
  const source = withBallast(await jpeg.toBuffer());
  const picture = readCoefficients(source);
  const { segments } = splitJpeg(source);
  const bare = segments.filter(({ marker }) => marker !== APP0);
  const scanned = (scans: TestScan[]) => withBallast(writeTestJpeg(picture, { scans }));
  const withBand = (...band: number[]) =>
    altered(segments, SOS, (old) => Buffer.concat([old.subarray(0, -3), Buffer.from(band)]));
  const withZeros = (places: number[]) =>
    altered(segments, DQT, (steps) => steps.map((step, at) => (places.includes(at - 1) ? 0 : step)));
  const cutSegment = makeSegment(0xe5, new Uint8Array(100)).subarray(0, 50);

  const samePicture: readonly (readonly [label: string, bytes: Buffer])[] = [
    ...[[1, 1, 1], [0, 0, 0], [1, 2, 2], [1, 1, 2], [1, 2, 1]].map((ids) => [`components ${ids}`, withIds(segments, ids)] as const), // biome-ignore format: ids
    ["a band of nothing in a sequential scan", withBand(0, 0, 0)],
    ["another band in a sequential scan", withBand(1, 5, 0x21)],
    ["arithmetic conditioning", joinJpeg([makeSegment(DAC, [0, 16]), ...segments, makeSegment(DAC, [0, 16])])],
    ["no EOI", source.subarray(0, -2)],
    ["half of EOI", source.subarray(0, -1)],
    ["no EOI after scans of single components", scanned(ALONE).subarray(0, -2)],
    ["no EOI after progressive scans", scanned([DC, ...acScans({})]).subarray(0, -2)],
    ["half of a segment at its end", Buffer.concat([source.subarray(0, -2), cutSegment])],
  ];
  const itself: readonly (readonly [label: string, bytes: Buffer])[] = [
    ["components 7,7,7 without JFIF", withIds(bare, [7, 7, 7])],
    ["a step of 0 for the mean", withZeros([0])],
    ["a step of 0 for the last coefficient", withZeros([63])],
    ["steps of 0 for some coefficients", withZeros([1, 2, 9, 30])],
    ["steps of 0 for everything", withZeros(Array.from({ length: 64 }, (_, k) => k))],
    ["no scan of the first component", scanned(ALONE.slice(1))],
    ["a scan of the first component alone", scanned(ALONE.slice(0, 1))],
    ["not the last coefficients", scanned([DC, ...acScans({ se: 40 })])],
    ["nine AC coefficients and no more", scanned([DC, ...acScans({ se: 9 })])],
    ["not the last bit of the last coefficients", scanned([DC, ...acScans({ se: 9 }), ...acScans({ ss: 10, al: 1 })])],
    ["not the last bit of the mean", scanned([{ ...DC, al: 1 }, ...acScans({})])],
  ];
  return [
    ...samePicture.map(([label, bytes]) => ({ label, bytes, sound: source })),
    ...itself.map(([label, bytes]) => ({ label, bytes, sound: bytes })),
  ];
}

/** The file with the content of one kind of segment altered. */
function altered(segments: readonly JpegSegment[], marker: number, alter: (content: Uint8Array) => Uint8Array): Buffer {
  return joinJpeg(segments.map((one) => (one.marker === marker ? { ...one, content: alter(one.content) } : one)));
}

/** The file with these component names in frame and scan. */
function withIds(segments: readonly JpegSegment[], ids: readonly number[]): Buffer {
  const named = (first: number, step: number) => (content: Uint8Array) => {
    const renamed = Uint8Array.from(content);
    for (const [i, id] of ids.entries()) renamed[first + i * step] = id;
    return renamed;
  };
  return altered(splitJpeg(altered(segments, SOF0, named(6, 3))).segments, SOS, named(1, 2));
}
