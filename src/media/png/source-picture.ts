import type { ReadSource } from "./engine.ts";
import type { Pass } from "./png-header.ts";

/** The value for GIF in place of a PNG's colour type. */
export const GIF_FORM = -1;

/** A picture in its file, whose rows the engine reads. */
export interface SourcePicture {
  readonly width: number;
  readonly height: number;
  /** IHDR's colour type (PNG, 11.2.1), or GIF_FORM. */
  readonly colourType: number;
  readonly bitDepth: number;
  readonly isInterlaced: boolean;
  /** Passes in the file's order. */
  readonly passes: readonly Pass[];
  /** Red, green, blue and alpha of each index. */
  readonly colours: Uint8Array | undefined;
  /** Samples of the transparent colour in the file's form: one for gray, three for RGB. */
  readonly key: readonly number[] | undefined;
  /** A colour profile is for gray or for colours and does not fit the other (PNG, 11.3.2.3). */
  readonly hasProfile: boolean;
  /** A PNG's image data, chunk after chunk, or a GIF's, starting with its code length. */
  readonly read: ReadSource;
}
