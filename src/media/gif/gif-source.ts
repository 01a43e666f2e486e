import type { ReadSource } from "../png/engine.ts";
import type { Pass } from "../png/png-header.ts";
import { GIF_FORM, type SourcePicture } from "../png/source-picture.ts";
import type { GifFrame } from "./gif-blocks.ts";
import { gifSize } from "./gif-size.ts";

const OPAQUE = 0xff;

/** First row and step of each pass (GIF89a, appendix E). */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;
const TOP_DOWN = [[0, 1]] as const;

/** A frame of a GIF on its screen, for the engine to read. Pixels outside the frame and of the transparent colour are transparent. */
export function gifSourceOf(file: Uint8Array<ArrayBuffer>, frame: GifFrame): SourcePicture {
  return {
    ...gifSize(file, frame),
    colourType: GIF_FORM,
    bitDepth: 8,
    isInterlaced: false,
    passes: passesOf(frame),
    colours: rgbaOf(frame),
    key: undefined,
    hasProfile: false,
    read: readerFrom(file.subarray(frame.dataAt)),
  };
}

function passesOf({ left, top, width, height, isInterlaced }: GifFrame): Pass[] {
  return (isInterlaced ? PASSES : TOP_DOWN)
    .map(([first, dy]) => ({
      left,
      top: top + first,
      dx: 1,
      dy,
      columns: width,
      rows: Math.ceil(Math.max(0, height - first) / dy),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
}

/** Red, green, blue and alpha of each index. */
function rgbaOf({ colourTable, transparent }: GifFrame): Uint8Array {
  const colours = new Uint8Array((colourTable.length / 3) * 4);
  for (let from = 0, to = 0; from < colourTable.length; from += 3, to += 4) {
    colours.set(colourTable.subarray(from, from + 3), to);
    colours[to + 3] = OPAQUE;
  }
  if (transparent !== undefined) colours.fill(0, 4 * transparent, 4 * transparent + 4);
  return colours;
}

function readerFrom(data: Uint8Array<ArrayBuffer>): ReadSource {
  return (position, target) => {
    const part = data.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  };
}
