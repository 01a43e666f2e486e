import type { ReadSource } from "./engine.ts";
import type { PngChunk } from "./png-chunks.ts";
import { type PngFile, readKey } from "./png-file.ts";
import { INDEXED, listPasses } from "./png-header.ts";
import type { SourcePicture } from "./source-picture.ts";

/** A PNG's picture, for the engine to read. */
export function sourceOf({ header, palette, transparency, colour, imageData }: PngFile): SourcePicture {
  const isIndexed = header.colourType === INDEXED;
  return {
    ...header,
    passes: listPasses(header),
    colours: isIndexed && palette !== undefined ? rgbaOf(palette, transparency) : undefined,
    key: !isIndexed && transparency !== undefined ? readKey(transparency) : undefined,
    hasProfile: colour.some(({ type }) => type === "iCCP"),
    read: readerOf(imageData),
  };
}

/** Red, green, blue and alpha of each colour of a palette. */
function rgbaOf({ data }: PngChunk, transparency: PngChunk | undefined): Uint8Array {
  const colours = new Uint8Array((data.length / 3) * 4).fill(0xff);
  for (let index = 0; index * 3 < data.length; index++) {
    colours.set(data.subarray(3 * index, 3 * index + 3), 4 * index);
    colours[4 * index + 3] = transparency?.data[index] ?? 0xff;
  }
  return colours;
}

/** Reads the data of several chunks as one. */
function readerOf(pieces: readonly Uint8Array<ArrayBuffer>[]): ReadSource {
  const starts: number[] = [];
  let end = 0;
  for (const { length } of pieces) {
    starts.push(end);
    end += length;
  }
  return (position, target) => {
    const size = Math.max(0, Math.min(target.length, end - position));
    let index = lastUpTo(starts, position);
    for (let filled = 0; filled < size; index++) {
      const offset = position + filled - (starts[index] ?? 0);
      const part = pieces[index]?.subarray(offset, offset + size - filled) ?? new Uint8Array();
      target.set(part, filled);
      filled += part.length;
    }
    return size;
  };
}

/** The index of the last number that is at most `wanted`; the numbers increase. */
function lastUpTo(numbers: readonly number[], wanted: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
