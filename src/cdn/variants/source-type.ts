import { isMediaType, type MediaType, typeOfName } from "../../domain/media-types.ts";

/** A name may have another type's extension (SVC-2): a WebP that is named `photo.jpg` has variants of a WebP. */

/** The types of files whose name has another type's extension, by their key. */
const learned = new Map<string, MediaType>();
const MAX_LEARNED = 500;

/**
 * The type of a stored file, as far as this isolate knows it: a hit costs no look at the file. A name with an unknown extension is taken for a
 * JPEG's.
 */
export function sourceTypeOf(objectKey: string): MediaType {
  return learned.get(objectKey) ?? typeOfName(objectKey) ?? "image/jpeg";
}

/** Remembers the type of a file that was read. Its bytes never change under its key. */
export function learnSourceType(objectKey: string, type: string | undefined): void {
  if (type === undefined || !isMediaType(type) || type === sourceTypeOf(objectKey)) return;
  learned.set(objectKey, type);
  if (learned.size > MAX_LEARNED) learned.delete(learned.keys().next().value ?? objectKey);
}
