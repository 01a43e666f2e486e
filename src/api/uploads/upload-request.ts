import type { MiddlewareHandler } from "hono";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { MAX_METADATA_BYTES, MAX_RESUMABLE_BYTES } from "../../domain/resumable.ts";
import { RawBody } from "../../multipart/byte-window.ts";
import { parseContentDisposition } from "../../multipart/content-disposition.ts";
import { MultipartReader, parseBoundary } from "../../multipart/read-multipart.ts";
import type { AccountContext } from "../../services/context.ts";
import {
  refuseContentRange,
  STORAGE_OPTIONS,
  toFieldTexts,
  toOptionTexts,
  UPLOAD_FIELDS,
} from "../../services/uploads/receive/upload-fields.ts";
import type { ResumableDescription } from "../../services/uploads/resumable/create-upload.ts";
import type { AppEnv } from "../app-env.ts";

/** tus 1.0.0, the protocol of resumable uploads (UP-4; https://tus.io/protocols/resumable-upload). */
const TUS_VERSION = "1.0.0";
const EXTENSIONS = "creation,creation-with-upload,creation-defer-length,expiration,termination";
export const OFFSET_TYPE = "application/offset+octet-stream";

const UPLOAD_PATH = "/images/upload";
const UPLOAD = /^\/images\/upload(\/[^/]+)?$/;
/** Headers exposed to scripts of other origins, in addition to the usual ones. */
const EXPOSED = [
  ...["Location", "Content-Location", "Upload-Offset", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata"],
  ...["Upload-Expires", "Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size"],
];

/** The protocol's headers for OPTIONS and for each of its answers (tus 1.0.0, OPTIONS, Tus-Resumable). */
export const tus: MiddlewareHandler<AppEnv> = async function tus(c, next) {
  await next();
  if (!UPLOAD.test(c.req.path)) return;
  const { headers } = c.res;
  const isPreflight = c.req.method === "OPTIONS";
  if (isPreflight || c.req.header("Tus-Resumable") !== undefined) headers.set("Tus-Resumable", TUS_VERSION);
  const exposed = headers.get("Access-Control-Expose-Headers");
  headers.set("Access-Control-Expose-Headers", [...(exposed === null ? [] : [exposed]), ...EXPOSED].join(","));
  if (!isPreflight) return;
  headers.set("Tus-Version", TUS_VERSION);
  headers.set("Tus-Extension", EXTENSIONS);
  headers.set("Tus-Max-Size", String(MAX_RESUMABLE_BYTES));
};

/** @throws ServiceError 412 for another version of the protocol, or none */
export function requireTus(headers: Headers): void {
  if (headers.get("Tus-Resumable") !== TUS_VERSION) throw ERRORS.ProtocolVersion(TUS_VERSION);
}

/** Gives requests their intended method: some clients can send only GET and POST (tus 1.0.0, X-HTTP-Method-Override). */
export function withMeantMethod<Rest extends unknown[], Answer>(
  fetch: (request: Request, ...rest: Rest) => Answer,
): (request: Request, ...rest: Rest) => Answer {
  return (request, ...rest) => fetch(toMeantRequest(request), ...rest);
}

function toMeantRequest(request: Request): Request {
  const method = request.headers.get("X-HTTP-Method-Override")?.toUpperCase() ?? "";
  if (request.method !== "POST" || !["PATCH", "DELETE", "HEAD"].includes(method)) return request;
  if (!new URL(request.url).pathname.startsWith(`${UPLOAD_PATH}/`)) return request;
  return new Request(request, method === "HEAD" ? { method, body: null } : { method });
}

/** A number of bytes without a sign, within JavaScript's exact integers. */
const BYTES = /^\d{1,15}$/;
/** Base64 (RFC 4648, 4), with padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Printable ASCII without space and comma. */
const KEY = /^[!-+\--~]+$/;
/** Metadata keys that the service uses. Others are stored and returned. */
const SAID: ReadonlySet<string> = new Set(["filename", "name", ...STORAGE_OPTIONS, ...UPLOAD_FIELDS]);

/**
 * The upload that a creation's headers describe (tus 1.0.0, Creation).
 * @throws ServiceError 400
 */
export function readCreation(headers: Headers): ResumableDescription {
  // Clients that split files do not send OPTIONS first, and their first part would be stored as a whole file.
  if (headers.has("Upload-Concat")) {
    throw ERRORS.InvalidRequest({ "Upload-Concat": "Concatenation is not supported; send one upload" });
  }
  const length = readBytes(headers, "Upload-Length");
  const deferred = headers.get("Upload-Defer-Length");
  if (deferred !== null && (deferred !== "1" || length !== undefined)) {
    throw ERRORS.InvalidRequest({ "Upload-Defer-Length": "Must be 1, and only without Upload-Length" });
  }
  if (deferred === null && length === undefined) {
    throw ERRORS.InvalidRequest({ "Upload-Length": "Upload-Length or Upload-Defer-Length is required" });
  }
  const metadata = headers.get("Upload-Metadata");
  const said = readMetadata(metadata ?? "");
  return {
    length: length ?? null,
    sent: metadata,
    filename: said.get("filename") ?? said.get("name") ?? "",
    fields: toFieldTexts((name) => said.get(name)),
    options: toOptionTexts((name) => said.get(name)),
  };
}

/**
 * @returns undefined if the header is absent
 * @throws ServiceError 400 if it is not a number
 */
export function readBytes(headers: Headers, name: "Upload-Length" | "Upload-Offset"): number | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  if (!BYTES.test(value)) throw ERRORS.InvalidRequest({ [name]: "Must be a number of bytes" });
  return Number(value);
}

/** @throws ServiceError 400 for a malformed or repeated key, or a value that is not base64 of UTF-8 */
function readMetadata(header: string): Map<string, string> {
  const fail = (reason: string) => ERRORS.InvalidRequest({ "Upload-Metadata": reason });
  if (header.length > MAX_METADATA_BYTES) throw fail(`Must have at most ${MAX_METADATA_BYTES} bytes`);
  const values = new Map<string, string>();
  for (const pair of header.trim() === "" ? [] : header.split(",")) {
    const [key = "", value = "", ...rest] = pair.trim().split(" ");
    if (!KEY.test(key) || rest.length > 0) throw fail("Must be pairs of a key and a base64 value, separated by commas");
    if (values.has(key)) throw fail(`The key ${key} appears twice`);
    if (!BASE64.test(value)) throw fail(`The value of ${key} is not base64`);
    const text = decode(value);
    if (text === undefined && SAID.has(key)) throw fail(`The value of ${key} is not UTF-8`);
    values.set(key, text ?? "");
  }
  return values;
}

function decode(base64: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}

/**
 * The body's declared size; undefined if the client does not declare it.
 * @throws ServiceError 413
 */
export function declaredBytes(headers: Headers, maxUploadBytes: number): number | undefined {
  const declared = headers.get("Content-Length") ?? "";
  const totalBytes = /^\d+$/.test(declared) ? Number(declared) : undefined;
  if (totalBytes !== undefined && totalBytes > maxUploadBytes) throw ERRORS.BodyTooLarge(maxUploadBytes);
  return totalBytes;
}

const IDEMPOTENCY_KEY = "Idempotency-Key";
/** A String of RFC 9651, 3.3.3, whose characters need no escaping. Many clients omit the quotes. */
const QUOTED_KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,128})"|([\w.:+/=-]{1,128}))$/;

/**
 * The request's idempotency key (draft-ietf-httpapi-idempotency-key-header, 2.1; UP-10); undefined if there is none.
 * @throws ServiceError 400 if the key is malformed
 */
export function readIdempotency(headers: Headers): string | undefined {
  const header = headers.get(IDEMPOTENCY_KEY)?.trim();
  if (header === undefined) return undefined;
  const [, quoted, bare] = QUOTED_KEY.exec(header) ?? [];
  const key = quoted ?? bare;
  if (key === undefined) throw ERRORS.InvalidIdempotencyKey("Must be a string of 1 to 128 characters, in quotes");
  return key;
}

/** A form with files, or a body that is a file. */
export type UploadBody =
  | { readonly form: MultipartReader }
  | {
      readonly raw: RawBody;
      /** Empty if the request does not name the file. */
      readonly filename: string;
      /** Replaces the error 415 if the bytes are no image or video and the declared type explains why. */
      readonly notAFile?: ServiceError;
    };

/** Types of bodies that are never files. Clients send them by mistake. */
const NO_FILE = /^(application\/json|multipart\/.*)$/;
/** curl's type for `--data-binary`, for any content. */
const URL_ENCODED = "application/x-www-form-urlencoded";

/**
 * The files of a request: a form's files (`multipart/form-data`, UP-2), or the body itself (any other type, UP-3).
 * @throws ServiceError 400 without a file or for a slice of a file; 413 if the declared size is too large
 */
export function openUploadBody({ config }: AccountContext, { headers, body, url }: Request): UploadBody {
  refuseContentRange(headers.get("Content-Range"));
  const { maxUploadBytes } = config;
  const totalBytes = declaredBytes(headers, maxUploadBytes);
  const contentType = headers.get("Content-Type") ?? "";
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (mediaType === "multipart/form-data") {
    const boundary = parseBoundary(contentType);
    if (boundary === undefined || body === null) {
      throw ERRORS.NoFile("Send the field `file` as multipart/form-data with a boundary");
    }
    return { form: new MultipartReader(body, boundary, totalBytes, maxUploadBytes) };
  }
  const notAFile = ERRORS.NoFile(`${mediaType} is not a file: send multipart/form-data, or the file as the body`);
  if (NO_FILE.test(mediaType)) throw notAFile;
  if (body === null) throw ERRORS.NoFile("The body is empty");
  return {
    raw: new RawBody(body, totalBytes, maxUploadBytes),
    // An empty value counts as absent.
    filename: new URL(url).searchParams.get("filename") || filenameOf(headers),
    ...(mediaType === URL_ENCODED && { notAFile }),
  };
}

function filenameOf(headers: Headers): string {
  return parseContentDisposition(headers.get("Content-Disposition") ?? "")?.filename ?? "";
}
