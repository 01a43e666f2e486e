import { writeTestJpeg } from "./write-jpeg.ts";

const SIDE = 2048;
const BLOCKS_PER_LINE = SIDE / 8;
/** The largest AC coefficient. */
const LARGEST = 200;

/** A gray progressive JPEG of 2,048 by 2,048 pixels, whose DC coefficients are its first tenth. */
export function largeProgressiveJpeg(): Uint8Array<ArrayBuffer> {
  const coefficients = new Int16Array(BLOCKS_PER_LINE * BLOCKS_PER_LINE * 64);
  for (let at = 0; at < coefficients.length; at += 64) {
    coefficients[at] = (at >> 6) % 100;
    for (let k = 1; k < 8; k++) coefficients[at + k] = ((at + 37 * k) % LARGEST) - LARGEST / 2;
  }
  const blocks = { blocksPerLine: BLOCKS_PER_LINE, blockLines: BLOCKS_PER_LINE, paddedBlocksPerLine: BLOCKS_PER_LINE };
  const plane = { id: 1, h: 1, v: 1, ...blocks, steps: new Uint16Array(64).fill(8), coefficients };
  const size = { width: SIDE, height: SIDE, mcusPerLine: BLOCKS_PER_LINE, mcuRows: BLOCKS_PER_LINE };
  const scans = [
    { of: [0], se: 0 },
    { of: [0], ss: 1, se: 63 },
  ];
  return Uint8Array.from(writeTestJpeg({ ...size, components: [plane] }, { scans }));
}
