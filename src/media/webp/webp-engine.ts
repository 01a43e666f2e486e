export interface Pixels {
  /** RGBA, 8 bits each, not premultiplied. */
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** Decodes and encodes WebP. */
export interface WebpEngine {
  /** The largest pictures that this engine takes; this bounds its time. Alpha is always compressed without loss. */
  readonly maxPixels: { readonly lossy: number; readonly lossless: number };
  /**
   * Undefined if the file is damaged.
   * @param maxMemoryBytes of the decoder's instance
   * @throws EngineMemoryError if it needs more
   */
  decode(file: Uint8Array<ArrayBuffer>, maxMemoryBytes?: number): Promise<Pixels | undefined>;
  /**
   * @param quality 0 to 100; the pixels of a lossless picture do not change, including invisible ones
   * @throws EngineMemoryError if the encoder's instance needs more than `maxMemoryBytes`; Error if the codec fails
   */
  encode(
    pixels: Pixels,
    options: {
      readonly quality: number;
      readonly lossless: boolean;
      /** Effort, 0 to 6; by default libwebp's 4. */
      readonly effort?: number;
      /** Whether a lossy encoder takes half as much time again to keep no list of its symbols, which is most of its memory. */
      readonly savesMemory?: boolean;
      readonly maxMemoryBytes?: number;
    },
  ): Promise<Uint8Array<ArrayBuffer>>;
}
