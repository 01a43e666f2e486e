/** The file types that are stored (specification, What the service does). */
export const MEDIA_TYPES = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "video/mp4",
  "video/webm",
  "video/quicktime",
  "video/x-msvideo",
] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "video/quicktime": "mov",
  "video/x-msvideo": "avi",
};

/** The usual file name extension, without a dot. */
export function extensionOf(type: MediaType): string {
  return EXTENSIONS[type];
}

export function isVideo(type: string): boolean {
  return type.startsWith("video/");
}
