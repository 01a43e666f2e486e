import type { StillGif } from "./parse-gif.ts";

/** First row and step of each pass (GIF89a specification, appendix E). */
const INTERLACE = [
  { first: 0, step: 8 },
  { first: 4, step: 8 },
  { first: 2, step: 4 },
  { first: 1, step: 2 },
];

/**
 * The rows of the whole screen, top down; what the frame does not cover is 0.
 * @param indexes the frame's pixels in the order in which the file holds them
 * @param translate from the frame's indexes to those of the rows
 */
export function* screenRows(
  { width, height, frame }: StillGif,
  indexes: Uint8Array,
  translate: Uint8Array,
): Generator<Uint8Array> {
  const order = rowOrder(frame.height, frame.interlaced);
  const row = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    row.fill(0);
    const stored = order[y - frame.top];
    if (stored !== undefined) {
      const pixels = indexes.subarray(stored * frame.width, (stored + 1) * frame.width);
      for (let x = 0; x < pixels.length; x++) row[frame.left + x] = translate[pixels[x] as number] as number;
    }
    yield row;
  }
}

/** For each row of the frame, which one of the stored rows it is. */
function rowOrder(height: number, interlaced: boolean): Uint16Array {
  const order = new Uint16Array(height);
  let stored = 0;
  for (const { first, step } of interlaced ? INTERLACE : [{ first: 0, step: 1 }]) {
    for (let y = first; y < height; y += step) order[y] = stored++;
  }
  return order;
}
