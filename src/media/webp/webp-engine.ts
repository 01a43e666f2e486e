export interface Pixels {
  /** RGBA, 8 bits each, not premultiplied. */
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** Who decodes and encodes WebP: libwebp, in WebAssembly or native. */
export interface WebpEngine {
  /** Larger pictures are left to somebody else; what it takes is bounded by these. */
  readonly maxPixels: { readonly lossy: number; readonly lossless: number };
  /** Undefined where the file is damaged. */
  decode(file: Uint8Array<ArrayBuffer>): Promise<Pixels | undefined>;
  /**
   * @param quality 0 to 100; of a lossless picture the pixels do not change, those that cannot be seen included
   * @throws Error where the codec fails
   */
  encode(
    pixels: Pixels,
    options: {
      readonly quality: number;
      readonly lossless: boolean;
      /** 0 to 6: how hard to try; libwebp's usual 4 where it is not given. */
      readonly effort?: number;
    },
  ): Promise<Uint8Array<ArrayBuffer>>;
}
