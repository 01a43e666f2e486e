import type { VariantGeometry } from "../../../domain/variants/variant-geometry.ts";

/**
 * Draws a loaded picture in a variant's size, as it is before compression.
 * @returns undefined if the picture is not loaded, or the browser has no memory for it
 */
export async function drawPart(image: HTMLImageElement, geometry: VariantGeometry): Promise<Blob | undefined> {
  const { part, picture, canvas: size } = geometry;
  if (
    !(await image.decode().then(
      () => true,
      () => false,
    ))
  )
    return undefined;
  const canvas = Object.assign(document.createElement("canvas"), { width: size.width, height: size.height });
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  context.imageSmoothingQuality = "high";
  context.drawImage(
    image,
    ...[part.left, part.top, part.width, part.height],
    ...[size.left, size.top, picture.width, picture.height],
  );
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined)));
}
