import { formatBytes, formatDate } from "../../design/format.ts";
import type { Item } from "../changes/patch.ts";
import { nameType } from "../view/file-types.ts";

/** A file's name for screen readers: "IMG_4520.jpg, JPEG image, 4092 by 3072, 3.1 MB, 21 November 2026, favourite". */
export function describe(item: Item): string {
  const { prompt, mimeType, size, fileSize, createdAt, favorite, visibility, tags, thumbnail, takedown } = item;
  return [
    prompt,
    nameType(mimeType),
    ...(size.width > 0 ? [`${size.width} by ${size.height}`] : []),
    formatBytes(fileSize),
    formatDate(createdAt),
    ...(thumbnail === "pending" ? ["creating thumbnail"] : []),
    ...(takedown ? ["taken down"] : []),
    ...(visibility === "private" ? ["private"] : []),
    ...(favorite ? ["favourite"] : []),
    ...(tags.length > 0 ? [`tags ${tags.join(", ")}`] : []),
  ].join(", ");
}

/** The second line under a tile: "3.1 MB 4092 × 3072". */
export function sizeLine({ fileSize, size }: Item): string {
  const pixels = size.width > 0 ? `  ${size.width} × ${size.height}` : "";
  return formatBytes(fileSize) + pixels;
}
