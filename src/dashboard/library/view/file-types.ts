/** The values of the filter `type`: their titles, and the prefix of their MIME types. */
export const FILE_TYPES = {
  image: { title: "Images", mimePrefix: "image/" },
  video: { title: "Videos", mimePrefix: "video/" },
  jpeg: { title: "JPEG", mimePrefix: "image/jpeg" },
  png: { title: "PNG", mimePrefix: "image/png" },
  webp: { title: "WebP", mimePrefix: "image/webp" },
  gif: { title: "GIF", mimePrefix: "image/gif" },
  mp4: { title: "MP4", mimePrefix: "video/mp4" },
  webm: { title: "WebM", mimePrefix: "video/webm" },
  mov: { title: "QuickTime", mimePrefix: "video/quicktime" },
  avi: { title: "AVI", mimePrefix: "video/x-msvideo" },
} as const;

export type FileType = keyof typeof FILE_TYPES;

/** The name of a MIME type: "JPEG image". */
export function nameType(mimeType: string): string {
  const [, found] = Object.entries(FILE_TYPES).find(([, { mimePrefix }]) => mimePrefix === mimeType) ?? [];
  const kind = mimeType.startsWith("video/") ? "video" : "image";
  return found === undefined ? mimeType : `${found.title} ${kind}`;
}
