import { bitsOfIndex, makePalette } from "./make-palette.ts";
import { packIndices } from "./pack-indices.ts";
import { type Picture, reduceSamples } from "./reduce-samples.ts";

/** A picture, and what has to stand before its data. */
export interface ReducedPicture extends Picture {
  /** PLTE and tRNS, where it has a palette now. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * The same pixels told with less: samples that say nothing are left out, and few colours become a palette.
 * @param picture of 8 or 16 bits a sample, without a palette
 * @param hasProfile a colour profile, which is for gray or for colours, and does not go with the other (PNG, 11.3.2.3)
 */
export function reducePicture(picture: Picture, hasProfile: boolean): ReducedPicture {
  const reduced = reduceSamples(picture, !hasProfile);
  const isGray = (picture.header.colourType & 2) === 0;
  const mayHavePalette = reduced.header.bitDepth === 8 && !(isGray && hasProfile);
  const indexed = mayHavePalette ? makePalette(reduced) : undefined;
  if (indexed === undefined) return { ...reduced, chunks: [] };
  const bits = bitsOfIndex(indexed.colourCount);
  return { ...(bits === 8 ? indexed : packIndices(indexed, bits)), chunks: indexed.chunks };
}
