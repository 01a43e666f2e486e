/** The values of the filter `type`: what people call them, and what the MIME types of such files begin with. */
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

/** What a file of a MIME type is called: "JPEG image". */
export function nameType(mimeType: string): string {
  const [, found] = Object.entries(FILE_TYPES).find(([, { mimePrefix }]) => mimePrefix === mimeType) ?? [];
  const kind = mimeType.startsWith("video/") ? "video" : "image";
  return found === undefined ? mimeType : `${found.title} ${kind}`;
}
