import { isMediaType, type MediaType } from "../../domain/media-types.ts";

/** A name may have another type's extension (SVC-2): a WebP that is named `photo.jpg` has variants of a WebP. */

/** Extensions of stored names. A name with another one is taken for a JPEG's. */
const TYPES: Readonly<Record<string, MediaType>> = {
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  qt: "video/quicktime",
  avi: "video/x-msvideo",
};

/** The types of files whose name has another type's extension, by their key. */
const learned = new Map<string, MediaType>();
const MAX_LEARNED = 500;

/** The type of a stored file, as far as this isolate knows it: a hit costs no look at the file. */
export function sourceTypeOf(objectKey: string): MediaType {
  const extension = objectKey.slice(objectKey.lastIndexOf(".") + 1).toLowerCase();
  return learned.get(objectKey) ?? (Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined) ?? "image/jpeg";
}

/** Remembers the type of a file that was read. Its bytes never change under its key. */
export function learnSourceType(objectKey: string, type: string | undefined): void {
  if (type === undefined || !isMediaType(type) || type === sourceTypeOf(objectKey)) return;
  learned.delete(objectKey);
  learned.set(objectKey, type);
  if (learned.size > MAX_LEARNED) learned.delete(learned.keys().next().value ?? objectKey);
}
