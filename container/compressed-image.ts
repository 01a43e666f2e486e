/** A compressed image, whose bytes are its parts one after another. Width and height are those of the source. */
export interface CompressedImage {
  contentType: "image/png" | "image/webp";
  width: number;
  height: number;
  parts: readonly Buffer[];
}

export interface ImageLimits {
  maxPixels: number;
}
