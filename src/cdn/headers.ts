import type { ServiceError } from "../domain/errors.ts";
import { AVIF_TYPE, MEDIA_TYPES, toDownloadName } from "../domain/media-types.ts";
import { encodeSegment, toSavedName } from "../domain/object-key.ts";
import { formatHttpDate } from "./http-date.ts";
import type { RequestedFile } from "./object-path.ts";
import { isFirstFrame } from "./variants/first-frame.ts";
import { wholeNumber } from "./whole-number.ts";

const DOWNLOAD_PARAMETER = "download";

/** Characters that a quoted string of RFC 6266 should not contain (appendix D): non-ASCII, quotes, backslashes, percent signs. */
const UNSAFE = /[^\x20-\x7e]|["\\%]/gu;

/** `?download=1` saves the file under its stored name. */
const STORED_NAME = "1";

/** FILE-4: thumbnails are cached for 90 days. */
const THUMBNAIL_MAX_AGE_SECONDS = 7_776_000;
/** A thumbnail never changes, but its signed URL changes each day. */
const PREVIEW_MAX_AGE_SECONDS = 86_400;
/** Browsers request a substitute again soon, because the variant may be made by then. */
const SUBSTITUTE_MAX_AGE_SECONDS = 60;
const DEFAULT_FILE_MAX_AGE_SECONDS = 300;
const MAX_FILE_MAX_AGE_SECONDS = 999_999_999;
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** Types that browsers may show. All other files are downloads, even if their name has such an extension. */
const SHOWN_TYPES: ReadonlySet<string> = new Set([...MEDIA_TYPES, AVIF_TYPE]);

/** A browser makes a page around a file that is opened by its URL. This policy allows only the image or the player on that page. */
const SHOWN_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
/** A `sandbox` would stop a video that is opened by its URL, so only other files and errors get it. */
const CLOSED_POLICY = "default-src 'none'; sandbox";

/** Sent with every answer: any site may embed and read a file, and no file can run as a page (FILE-5). */
const COMMON = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, Retry-After, X-Variant",
  "Content-Security-Policy": CLOSED_POLICY,
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

const ERROR = { ...COMMON, "Cache-Control": "no-store", "Content-Type": "application/json" };

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...COMMON,
  Allow: ALLOWED_METHODS,
  "Access-Control-Allow-Methods": ALLOWED_METHODS,
  "Access-Control-Allow-Headers": "Range, If-Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since",
  "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_SECONDS),
};

/** Headers of an answer that do not depend on R2's facts. */
export interface AnswerTerms {
  readonly cacheControl: string;
  readonly file: RequestedFile;
  /** Whether a request with another `Accept` may get another variant. */
  readonly variesByAccept: boolean;
  /** Whether the object stands in for a variant that cannot be made now. */
  readonly isSubstitute: boolean;
}

/** The headers of an answer with the file or a part of it, and of HEAD. `lengthBytes` is the length of the body. */
export function fileHeaders(object: R2Object, terms: AnswerTerms, lengthBytes: number): Record<string, string> {
  const type = shownType(object);
  const headers = unchangedHeaders(object, terms);
  headers["Accept-Ranges"] = "bytes";
  headers["Content-Length"] = String(lengthBytes);
  headers["Content-Type"] = type ?? "application/octet-stream";
  const named = disposition(terms.file, type);
  if (named !== undefined) headers["Content-Disposition"] = named;
  return headers;
}

/**
 * The headers of a 304: a cache needs them to keep its copy (RFC 9110, 15.4.5). The policy is the file's, because a 304's headers replace
 * the stored ones (RFC 9111, 3.2).
 */
export function unchangedHeaders(object: R2Object, terms: AnswerTerms): Record<string, string> {
  const { cacheControl, file, variesByAccept, isSubstitute } = terms;
  const isShown = !isDownload(file) && shownType(object) !== undefined;
  const headers: Record<string, string> = {
    ...COMMON,
    "Content-Security-Policy": isShown ? SHOWN_POLICY : CLOSED_POLICY,
    "Cache-Control": cacheControl,
    ETag: object.httpEtag,
    "Last-Modified": formatHttpDate(object.uploaded),
  };
  if (variesByAccept) headers.Vary = "Accept";
  if (isSubstitute) headers["X-Variant"] = "substitute";
  else if (isFirstFrame(object)) headers["X-Variant"] = "first-frame";
  return headers;
}

/** The type of a file that browsers may show; undefined for a download. */
function shownType({ httpMetadata }: R2Object): string | undefined {
  const type = httpMetadata?.contentType;
  return type !== undefined && SHOWN_TYPES.has(type) ? type : undefined;
}

/** The headers of an answer that leads to another URL of the same file. */
export function movedHeaders(location: string, cacheControl: string): Record<string, string> {
  return { ...COMMON, "Cache-Control": cacheControl, Location: location };
}

export function errorHeaders(error: ServiceError): Record<string, string> {
  return { ...ERROR, ...error.headers };
}

interface Cached {
  readonly kind: "file" | "thumbnail";
  readonly isPreview: boolean;
  /** Whether the object stands in for a variant that cannot be made now. */
  readonly isSubstitute: boolean;
  readonly isPrivate: boolean;
}

interface Ages {
  /** The binding of that name. */
  readonly fileMaxAgeSeconds: string;
  /** The time for which a private file's signature is still valid. */
  readonly leftSeconds: number;
}

/**
 * The `Cache-Control` of an answer. An original is cached briefly, because a delete must take effect soon, and `no-transform` keeps
 * intermediaries from compressing it again. An original's uncounted preview is not cached, so that it cannot answer a counted view. Only the
 * browser caches a private file, and no longer than its signature is valid.
 */
export function cacheControlOf({ kind, isPreview, isSubstitute, isPrivate }: Cached, ages: Ages): string {
  if (isPreview && kind === "thumbnail") return `private, max-age=${PREVIEW_MAX_AGE_SECONDS}`;
  if (isPreview) return "private, no-store, no-transform";
  const maxAgeSeconds = isSubstitute ? SUBSTITUTE_MAX_AGE_SECONDS : maxAgeOf(kind, ages);
  const age = isPrivate
    ? `private, max-age=${Math.min(maxAgeSeconds, ages.leftSeconds)}`
    : `public, max-age=${maxAgeSeconds}`;
  return kind === "thumbnail" || isSubstitute ? age : `${age}, no-transform`;
}

function maxAgeOf(kind: Cached["kind"], { fileMaxAgeSeconds }: Ages): number {
  if (kind === "thumbnail") return THUMBNAIL_MAX_AGE_SECONDS;
  return wholeNumber(fileMaxAgeSeconds, 0, MAX_FILE_MAX_AGE_SECONDS, DEFAULT_FILE_MAX_AGE_SECONDS);
}

/** The value of `?download=`, which saves the file (FILE-6): `1`, or a name with a point. Others are ignored. */
function readDownload({ query }: RequestedFile): string | undefined {
  const value = query === "" ? null : new URLSearchParams(query).get(DOWNLOAD_PARAMETER);
  return value !== null && (value === STORED_NAME || value.includes(".")) ? value : undefined;
}

function isDownload(file: RequestedFile): boolean {
  return readDownload(file) !== undefined;
}

/**
 * The `Content-Disposition` of a file (RFC 6266). The name is the stored name or the value of `?download=`, with an extension of the type
 * (FILE-11). A name that is not ASCII is also sent in UTF-8 (RFC 8187, 3.2.1).
 * @param type undefined if it is not one of the stored types
 * @returns undefined if the file is shown and its URL already ends with the right name, as nearly every one does
 */
function disposition(file: RequestedFile, type: string | undefined): string | undefined {
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
