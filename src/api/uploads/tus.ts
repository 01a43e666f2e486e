import type { MiddlewareHandler } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import { MAX_RESUMABLE_BYTES } from "../../domain/resumable.ts";
import type { AppEnv } from "../app-env.ts";

/** The protocol of resumable uploads, tus 1.0.0 (https://tus.io/protocols/resumable-upload). */
export const TUS_VERSION = "1.0.0";
const EXTENSIONS = "creation,creation-with-upload,creation-defer-length,expiration,termination";
export const OFFSET_TYPE = "application/offset+octet-stream";

const UPLOAD_PATH = "/images/upload";
const UPLOAD = /^\/images\/upload(\/[^/]+)?$/;
/** What scripts of other origins have to read beside what they always may. */
const EXPOSED = [
  ...["Location", "Content-Location", "Upload-Offset", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata"],
  ...["Upload-Expires", "Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size"],
];

/** Says what is spoken here, to OPTIONS and in every answer of the protocol (tus 1.0.0, OPTIONS, Tus-Resumable). */
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

/** @throws ServiceError 412 for a request of another version of the protocol, or of none */
export function requireTus(headers: Headers): void {
  if (headers.get("Tus-Resumable") !== TUS_VERSION) throw ERRORS.ProtocolVersion(TUS_VERSION);
}

/** The request with the method that it is meant to have: some clients can send GET and POST alone (tus 1.0.0, X-HTTP-Method-Override). */
export function withMeantMethod(request: Request): Request {
  const method = request.headers.get("X-HTTP-Method-Override")?.toUpperCase() ?? "";
  if (request.method !== "POST" || !["PATCH", "DELETE", "HEAD"].includes(method)) return request;
  if (!new URL(request.url).pathname.startsWith(`${UPLOAD_PATH}/`)) return request;
  return new Request(request, method === "HEAD" ? { method, body: null } : { method });
}
