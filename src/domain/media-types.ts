/** The file types that are stored (SVC-2). */
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

/** Variants may be AVIF. Uploads are not. */
export const AVIF_TYPE = "image/avif";

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

/** Further extensions that systems use for a type. */
const OTHER_EXTENSIONS: Readonly<Partial<Record<MediaType, readonly string[]>>> = {
  "image/jpeg": ["jpeg", "jpe", "jfif"],
  "image/png": ["apng"],
  "video/mp4": ["m4v"],
  "video/quicktime": ["qt"],
};

/**
 * The name of a download. A system opens a file by its extension, so the name gets an extension of the file's type: a GIF named `evil.hta`
 * is saved as `evil.hta.gif`. The extension of a type that is not stored is `bin`.
 */
export function toDownloadName(name: string, type: string): string {
  const known = MEDIA_TYPES.find((known) => known === type);
  const extensions =
    type === AVIF_TYPE
      ? ["avif"]
      : known === undefined
        ? ["bin"]
        : [EXTENSIONS[known], ...(OTHER_EXTENSIONS[known] ?? [])];
  const own = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return name.includes(".") && extensions.includes(own) ? name : `${name}.${extensions[0]}`;
}

export function isVideo(type: string): boolean {
  return type.startsWith("video/");
}

export function isMediaType(type: string): type is MediaType {
  return MEDIA_TYPES.some((known) => known === type);
}
