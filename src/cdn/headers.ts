import type { ServiceError } from "../domain/errors.ts";
import { formatHttpDate } from "./http-date.ts";

/** Specification, File access: thumbnails are cached for 90 days. */
const THUMBNAIL_MAX_AGE_SECONDS = 7_776_000;
const DEFAULT_FILE_MAX_AGE_SECONDS = 300;
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** What browsers may show. Everything else is a download, whatever its name says. */
const SHOWN_TYPES: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "video/mp4",
  "video/webm",
  "video/quicktime",
  "video/x-msvideo",
]);

/** On every answer: any site may embed and read a file, and none can be made to run as a page. */
const COMMON = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, Retry-After",
  "Content-Security-Policy": "default-src 'none'; sandbox",
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
  const type = object.httpMetadata?.contentType;
  const headers: Record<string, string> = {
    ...unchangedHeaders(object, cacheControl),
    "Accept-Ranges": "bytes",
    "Content-Length": String(lengthBytes),
  };
  if (type !== undefined && SHOWN_TYPES.has(type)) {
    headers["Content-Type"] = type;
  } else {
    headers["Content-Type"] = "application/octet-stream";
    headers["Content-Disposition"] = "attachment";
  }
  return headers;
}

/** Of a 304: what a cache needs to go on with what it has (RFC 9110, 15.4.5). */
export function unchangedHeaders(object: R2Object, cacheControl: string): Record<string, string> {
  return {
    ...COMMON,
    "Cache-Control": cacheControl,
    ETag: object.httpEtag,
    "Last-Modified": formatHttpDate(object.uploaded),
  };
}

export function errorHeaders(error: ServiceError): Record<string, string> {
  return { ...ERROR, ...error.headers };
}

/**
 * How long an answer may be kept. An original only shortly, because a delete must take effect; an uncounted preview
 * not at all, so that no view is answered with it.
 */
export function cacheControlOf(kind: "file" | "thumbnail", isPreview: boolean, fileMaxAgeSeconds: string): string {
  if (isPreview) return "private, no-store";
  if (kind === "thumbnail") return `public, max-age=${THUMBNAIL_MAX_AGE_SECONDS}`;
  const isValid = /^\d{1,9}$/.test(fileMaxAgeSeconds);
  return `public, max-age=${isValid ? Number(fileMaxAgeSeconds) : DEFAULT_FILE_MAX_AGE_SECONDS}`;
}
