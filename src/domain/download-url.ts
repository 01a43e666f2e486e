import { toDownloadName } from "./media-types.ts";
import { encodeSegment, fileNameOf, objectUrl, toSavedName } from "./object-key.ts";

interface NamedFile {
  readonly objectKey: string;
  readonly originalFilename: string;
  readonly mimeType: string;
}

/**
 * The URL that saves a file under its present name (FILE-6). The CDN Worker has no database, so the URL has the name of a renamed file. A
 * compressed GIF, which became a PNG, is saved under its stored name.
 */
export function downloadUrl(cdnUrl: string, { objectKey, originalFilename, mimeType }: NamedFile): string {
  const stored = fileNameOf(objectKey);
  if (originalFilename === stored) return `${objectUrl(cdnUrl, objectKey)}?download=1`;
  const own = toSavedName(originalFilename);
  const name = toDownloadName(own, mimeType);
  const isStored = name === toDownloadName(stored, mimeType) || (name !== own && stemOf(own) === stemOf(stored));
  return `${objectUrl(cdnUrl, objectKey)}?download=${isStored ? "1" : encodeSegment(name)}`;
}

function stemOf(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,5}$/, "");
}
