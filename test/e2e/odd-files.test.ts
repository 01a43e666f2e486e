import { afterAll, beforeAll, expect, it } from "vitest";
import { readHead, sniffMediaType } from "../../src/media/first-bytes.ts";
import { BrowserImages } from "../support/odd-files/browser-images.ts";
import type { OddFile } from "../support/odd-files/odd-file.ts";
import { ODD_GIFS } from "../support/odd-files/odd-gifs.ts";
import { makeOddJpegs } from "../support/odd-files/odd-jpegs.ts";
import { ODD_PNGS } from "../support/odd-files/odd-pngs.ts";
import { makeOddWebps } from "../support/odd-files/odd-webps.ts";

// A file that a browser shows is stored with the width and height that it shows. A real Chromium is the reference.

/** Files that are stored although Chromium paints nothing of them, with the reasons. */
const STORED_ALL_THE_SAME: Readonly<Record<string, readonly string[]>> = {
  "only decoding shows it": [
    "a PNG with half of the data turned over",
    "a JPEG with no quantisation tables",
    "a JPEG with a quantisation table that is not there",
    "a JPEG with a frame of marker c2",
    "a JPEG with a frame of marker ca",
    "a GIF with data that is damaged",
    "a GIF with data that ends at once",
    "a GIF with one transparent colour and nothing else",
    "a WebP with a chunk size that is too small",
    "a WebP with lossless data that is damaged",
    "a WebP with lossless data that is damaged at once",
  ],
  "cut off: viewers that show the smallest beginning show something": [
    "a PNG with an end in its data",
    "a JPEG with an end in its scan",
    "a JPEG with an end after 1 byte of its scan",
    "a WebP with a RIFF size that is too large",
    "a WebP with an end in its data",
    "a WebP with an end in its lossless data",
    "a WebP with an end after 20 bytes of its frame",
  ],
  "viewers differ about checksums, filters and animations without frames": [
    "a PNG with a first row of filter 5",
    "a PNG with a first row of filter 200",
    "a PNG with a wrong CRC of IHDR",
    "a PNG with a wrong CRC of the second IDAT",
    "a PNG with a wrong CRC of PLTE",
    "a PNG with an animation of one frame",
  ],
  "no browser decodes them, and other programs do": [
    "a JPEG with 12 bits a sample",
    "a JPEG with DHP after SOI",
    ...["c3", "c5", "c6", "c7", "cb", "cd", "ce", "cf"].map((marker) => `a JPEG with a frame of marker ${marker}`),
  ],
  "sound, but more than Chromium's limits": [
    "a PNG with a width over 1,000,000",
    "a PNG with 30,000 by 30,000 pixels, of which a row is there",
    "a JPEG with a height of 65,501",
    "a JPEG with a width of 65,501",
  ],
};
/** Chromium paints gray pixels that the file does not contain. */
const REFUSED_ALL_THE_SAME = ["a JPEG with an empty scan"];

let browser: BrowserImages;
let files: OddFile[];

beforeAll(async () => {
  browser = await BrowserImages.start();
  files = [...ODD_PNGS, ...(await makeOddJpegs()), ...ODD_GIFS, ...(await makeOddWebps())];
});

afterAll(() => browser?.[Symbol.asyncDispose]());

it("The service stores an odd file if Chromium shows anything of it, at that size, and no other", async () => {
  const wrong: string[] = [];
  const stored: string[] = [];
  for (const { label, type, bytes } of files) {
    const shown = await browser.show(type, bytes);
    const isShown = shown.width > 0 && shown.isPainted;
    const head = sniffMediaType(bytes) === type ? readHead(type, bytes, true) : undefined;
    const isStored = head?.shows === true;
    const ours = `${label}: ${head?.width} x ${head?.height}, Chromium's ${shown.width} x ${shown.height}`;
    if (isShown && isStored && (head.width !== shown.width || head.height !== shown.height)) wrong.push(ours);
    if (isShown && !isStored && !REFUSED_ALL_THE_SAME.includes(label)) wrong.push(`${label} is refused`);
    if (!isShown && isStored) stored.push(label);
  }
  expect(wrong).toEqual([]);
  expect(stored.sort()).toEqual(Object.values(STORED_ALL_THE_SAME).flat().sort());
}, 180_000);
