import { toDownloadName } from "../domain/media-types.ts";
import { encodeSegment, toSavedName } from "../domain/object-key.ts";
import type { RequestedFile } from "./object-path.ts";

const DOWNLOAD_PARAMETER = "download";
/** Characters that a quoted string of RFC 6266 should not contain (appendix D): non-ASCII, quotes, backslashes, percent signs. */
const UNSAFE = /[^\x20-\x7e]|["\\%]/gu;

/** `?download=1` saves the file under its stored name. */
const STORED_NAME = "1";

/** The value of `?download=`, which saves the file (FILE-6): `1`, or a name with a point. Others are ignored. */
function readDownload({ query }: RequestedFile): string | undefined {
  const value = query === "" ? null : new URLSearchParams(query).get(DOWNLOAD_PARAMETER);
  return value !== null && (value === STORED_NAME || value.includes(".")) ? value : undefined;
}

export function isDownload(file: RequestedFile): boolean {
  return readDownload(file) !== undefined;
}

/**
 * The `Content-Disposition` of a file (RFC 6266). The name is the stored one, or that of `?download=`, with an extension of the type
 * (FILE-11). A name that is not ASCII is also sent in UTF-8 (RFC 8187, 3.2.1).
 * @param type undefined if it is not one of the stored types
 * @returns undefined if the file is shown and its URL already ends with the right name, as nearly every one does
 */
export function disposition(file: RequestedFile, type: string | undefined): string | undefined {
  const last = file.objectKey.slice(file.objectKey.lastIndexOf("/") + 1);
  const stored = file.kind === "file" ? last.slice(file.version.length + 1) : last;
  const wanted = readDownload(file);
  const named = wanted === undefined || wanted === STORED_NAME ? stored : toSavedName(wanted);
  const name = toDownloadName(named, type ?? "");
  if (wanted !== undefined || type === undefined) return `attachment; ${filenameOf(name)}`;
  return name === stored ? undefined : `inline; ${filenameOf(name)}`;
}

function filenameOf(name: string): string {
  const plain = name.replace(UNSAFE, "_");
  const extended = plain === name ? "" : `; filename*=UTF-8''${encodeSegment(name)}`;
  return `filename="${plain}"${extended}`;
}
