import { encodeSegment } from "../domain/object-key.ts";
import type { RequestedFile } from "./object-path.ts";

const DOWNLOAD_PARAMETER = "download";
/** What a quoted string of RFC 6266 had better not hold (its appendix D): what is not ASCII, quotes, backslashes, percent signs. */
const UNSAFE = /[^\x20-\x7e]|["\\%]/gu;

/** Whether a URL asks for the file as a download: `?download=1`. */
export function isDownload({ query }: RequestedFile): boolean {
  return query !== "" && new URLSearchParams(query).get(DOWNLOAD_PARAMETER) === "1";
}

/**
 * The `Content-Disposition` of a download (RFC 6266), with the name that the stored one ends with: the file's own, as far as it can be a
 * file's, and with the ending of what it was converted to. A name that ASCII cannot say comes in UTF-8 as well (RFC 8187, 3.2.1).
 */
export function attachment({ kind, objectKey, uploadId }: RequestedFile): string {
  const last = objectKey.slice(objectKey.lastIndexOf("/") + 1);
  const name = kind === "file" ? last.slice(uploadId.length + 1) : last;
  const plain = name.replace(UNSAFE, "_");
  const extended = plain === name ? "" : `; filename*=UTF-8''${encodeSegment(name)}`;
  return `attachment; filename="${plain}"${extended}`;
}
