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

/** The file name extensions that systems use for a type, the usual one first. */
const EXTENSIONS: Readonly<Record<MediaType, readonly [string, ...string[]]>> = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png", "apng"],
  "image/webp": ["webp"],
  "image/gif": ["gif"],
  "video/mp4": ["mp4", "m4v"],
  "video/webm": ["webm"],
  "video/quicktime": ["mov", "qt"],
  "video/x-msvideo": ["avi"],
};

/** The usual file name extension, without a dot. */
export function extensionOf(type: MediaType): string {
  return EXTENSIONS[type][0];
}

/** The type that a name's extension stands for. */
export function typeOfName(name: string): MediaType | undefined {
  const own = ownExtension(name);
  return MEDIA_TYPES.find((type) => EXTENSIONS[type].includes(own));
}

function ownExtension(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

/**
 * The name of a download. A system opens a file by its extension, so the name gets an extension of the file's type: a GIF named `evil.hta`
 * is saved as `evil.hta.gif`. The extension of a type that is not stored is `bin`.
 */
export function toDownloadName(name: string, type: string): string {
  const extensions = type === AVIF_TYPE ? ["avif"] : isMediaType(type) ? EXTENSIONS[type] : ["bin"];
  return name.includes(".") && extensions.includes(ownExtension(name)) ? name : `${name}.${extensions[0]}`;
}

export function isVideo(type: string): boolean {
  return type.startsWith("video/");
}

export function isMediaType(type: string): type is MediaType {
  return MEDIA_TYPES.some((known) => known === type);
}
