import type { ReadSource } from "./engine.ts";
import type { Pass } from "./png-header.ts";

/** In place of a PNG's colour type. */
export const GIF_FORM = -1;

/** A picture in its file, whose rows the engine reads. */
export interface SourcePicture {
  readonly width: number;
  readonly height: number;
  /** As IHDR says (PNG, 11.2.1), or GIF_FORM. */
  readonly colourType: number;
  readonly bitDepth: number;
  readonly isInterlaced: boolean;
  /** In the order of the file. */
  readonly passes: readonly Pass[];
  /** Red, green, blue and alpha of each index. */
  readonly colours: Uint8Array | undefined;
  /** Samples of the transparent colour, as the file has them: one of gray, three of RGB. */
  readonly key: readonly number[] | undefined;
  /** A colour profile, which is for gray or for colours, and does not go with the other (PNG, 11.3.2.3). */
  readonly hasProfile: boolean;
  /** A PNG's image data, chunk after chunk, or a GIF's from the length of its codes on. */
  readonly read: ReadSource;
}
