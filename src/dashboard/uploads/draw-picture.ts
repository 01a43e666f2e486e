/** Types that every browser decodes. */
const DRAWN = /^image\/(jpeg|png|webp|gif)$/;
const MOST_BYTES = 40 * 1024 * 1024;
/** A decoded pixel takes four bytes while the picture is scaled down. */
const MOST_PIXELS = 64_000_000;
/** The longest side of a drawn picture, in pixels. */
const LONGEST = 384;

/** Draws a small picture of a file. @returns undefined for a video, an image of another type, and an image that needs too much memory */
export async function drawPicture(file: File): Promise<Blob | undefined> {
  if (!DRAWN.test(file.type) || file.size > MOST_BYTES) return undefined;
  const { width, height } = await readSize(file);
  if (width === 0 || height === 0 || width * height > MOST_PIXELS) return undefined;
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const [resizeWidth, resizeHeight] = [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const bitmap = await createImageBitmap(file, { resizeWidth, resizeHeight, resizeQuality: "medium" });
  try {
    const canvas = new OffscreenCanvas(resizeWidth, resizeHeight);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    return await canvas.convertToBlob({ type: file.type === "image/jpeg" ? "image/jpeg" : "image/webp", quality: 0.8 });
  } finally {
    bitmap.close();
  }
}

/** Browsers read an image's size before they decode the image. */
async function readSize(file: File): Promise<{ readonly width: number; readonly height: number }> {
  const image = new Image();
  const address = URL.createObjectURL(file);
  try {
    await new Promise((resolve, reject) => {
      Object.assign(image, { onload: resolve, onerror: reject, src: address });
    });
    return { width: image.naturalWidth, height: image.naturalHeight };
  } finally {
    URL.revokeObjectURL(address);
  }
}
