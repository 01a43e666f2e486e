import { toDownloadName } from "../domain/media-types.ts";
import { encodeSegment } from "../domain/object-key.ts";
import type { RequestedFile } from "./object-path.ts";

const DOWNLOAD_PARAMETER = "download";
/** Characters that a quoted string of RFC 6266 should not contain (appendix D): non-ASCII, quotes, backslashes, percent signs. */
const UNSAFE = /[^\x20-\x7e]|["\\%]/gu;

/** Whether the URL has `?download=1` (FILE-6). */
export function isDownload({ query }: RequestedFile): boolean {
  return query !== "" && new URLSearchParams(query).get(DOWNLOAD_PARAMETER) === "1";
}

/**
 * The `Content-Disposition` of a file (RFC 6266). The name is the stored one with an extension of the type (FILE-11). A name that is not
 * ASCII is also sent in UTF-8 (RFC 8187, 3.2.1).
 * @param type undefined if it is not one of the stored types
 * @returns undefined if the file is shown and its URL already ends with the right name, as nearly every one does
 */
export function disposition(file: RequestedFile, type: string | undefined): string | undefined {
  const last = file.objectKey.slice(file.objectKey.lastIndexOf("/") + 1);
  const stored = file.kind === "file" ? last.slice(file.uploadId.length + 1) : last;
  const name = toDownloadName(stored, type ?? "");
  if (isDownload(file) || type === undefined) return `attachment; ${filenameOf(name)}`;
  return name === stored ? undefined : `inline; ${filenameOf(name)}`;
}

function filenameOf(name: string): string {
  const plain = name.replace(UNSAFE, "_");
  const extended = plain === name ? "" : `; filename*=UTF-8''${encodeSegment(name)}`;
  return `filename="${plain}"${extended}`;
}
