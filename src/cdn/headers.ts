import type { ServiceError } from "../domain/errors.ts";
import { MEDIA_TYPES } from "../domain/media-types.ts";
import { formatHttpDate } from "./http-date.ts";
import { wholeNumber } from "./whole-number.ts";

/** Specification, File access: thumbnails are cached for 90 days. */
const THUMBNAIL_MAX_AGE_SECONDS = 7_776_000;
/** A thumbnail never changes; its signed address does each day. */
const PREVIEW_MAX_AGE_SECONDS = 86_400;
const DEFAULT_FILE_MAX_AGE_SECONDS = 300;
/** What nine digits can say. */
const MAX_FILE_MAX_AGE_SECONDS = 999_999_999;
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** What browsers may show. Everything else is a download, whatever its name says. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(MEDIA_TYPES);

/** What a browser makes of a file that is opened by its URL: a page of its own with the image or the player, and nothing else. */
const SHOWN_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
/** A `sandbox` would stop a video that is opened by its URL, so that it is for all else. */
const CLOSED_POLICY = "default-src 'none'; sandbox";

/** On every answer: any site may embed and read a file, and none can be made to run as a page. */
const COMMON = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, Retry-After",
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

/** Of an answer that has the file, or a part of it, or would have had it (HEAD). `lengthBytes` is what is sent. */
export function fileHeaders(object: R2Object, cacheControl: string, lengthBytes: number): Record<string, string> {
  const headers: Record<string, string> = {
    ...unchangedHeaders(object, cacheControl),
    "Accept-Ranges": "bytes",
    "Content-Length": String(lengthBytes),
  };
  const type = shownType(object);
  if (type !== undefined) return { ...headers, "Content-Type": type };
  return { ...headers, "Content-Type": "application/octet-stream", "Content-Disposition": "attachment" };
}

/**
 * Of a 304: what a cache needs to go on with what it has (RFC 9110, 15.4.5). The policy is the file's, because the headers of a 304
 * replace those that are stored (RFC 9111, 3.2).
 */
export function unchangedHeaders(object: R2Object, cacheControl: string): Record<string, string> {
  return {
    ...COMMON,
    "Content-Security-Policy": shownType(object) === undefined ? CLOSED_POLICY : SHOWN_POLICY,
    "Cache-Control": cacheControl,
    ETag: object.httpEtag,
    "Last-Modified": formatHttpDate(object.uploaded),
  };
}

/** The type of a file that browsers may show; undefined for a download. */
function shownType({ httpMetadata }: R2Object): string | undefined {
  const type = httpMetadata?.contentType;
  return type !== undefined && SHOWN_TYPES.has(type) ? type : undefined;
}

export function errorHeaders(error: ServiceError): Record<string, string> {
  return { ...ERROR, ...error.headers };
}

/**
 * How long an answer may be kept. An original is kept shortly, because a delete must take effect, and as it is: nobody on the way may
 * compress it again. An original that is looked at without being counted is not kept at all, so that no view is answered with it.
 */
export function cacheControlOf(kind: "file" | "thumbnail", isPreview: boolean, fileMaxAgeSeconds: string): string {
  if (isPreview && kind === "thumbnail") return `private, max-age=${PREVIEW_MAX_AGE_SECONDS}`;
  if (isPreview) return "private, no-store, no-transform";
  if (kind === "thumbnail") return `public, max-age=${THUMBNAIL_MAX_AGE_SECONDS}`;
  const maxAgeSeconds = wholeNumber(fileMaxAgeSeconds, 0, MAX_FILE_MAX_AGE_SECONDS, DEFAULT_FILE_MAX_AGE_SECONDS);
  return `public, max-age=${maxAgeSeconds}, no-transform`;
}
