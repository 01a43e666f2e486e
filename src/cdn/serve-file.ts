import { ERRORS, ServiceError } from "../domain/errors.ts";
import { toLogLine } from "../domain/log-line.ts";
import { PREVIEW_PARAMETER, verifyPreview } from "../domain/preview-token.ts";
import { attachment, isDownload } from "./attachment.ts";
import { evaluatePreconditions, ifRangeHolds } from "./conditional.ts";
import type { CdnEnv } from "./env.ts";
import {
  ALLOWED_METHODS,
  cacheControlOf,
  type Delivery,
  errorHeaders,
  fileHeaders,
  PREFLIGHT_HEADERS,
  unchangedHeaders,
} from "./headers.ts";
import { parseFileUrl, type RequestedFile } from "./object-path.ts";
import { contentRange, parseRange, type RequestedRange, resolveRange } from "./range.ts";
import { discard, type FoundObject, readFacts, readObject } from "./read-object.ts";

type FileBindings = Pick<CdnEnv, "FILES" | "PREVIEW_SECRET" | "FILE_MAX_AGE_SECONDS">;

/**
 * Answers a request for a stored file (specification, File access): ranges, preconditions and HEAD as RFC 9110 has
 * them, every error as JSON. A view or a range costs one R2 operation; the body is never held.
 * @param onView is told of a view: a GET that is answered with the file or with a range that includes its first byte, and is neither a
 * signed preview nor a player's probe
 */
export async function serveFile(
  request: Request,
  env: FileBindings,
  onView: (file: RequestedFile) => void,
): Promise<Response> {
  try {
    switch (request.method) {
      case "GET":
        return await getFile(request, env, onView);
      case "HEAD":
        return await headFile(request, env);
      case "OPTIONS":
        return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
      default:
        throw ERRORS.MethodNotAllowed(ALLOWED_METHODS);
    }
  } catch (error) {
    return toErrorResponse(error, request.method);
  }
}

async function getFile(request: Request, env: FileBindings, onView: (file: RequestedFile) => void): Promise<Response> {
  const file = parseFileUrl(request.url);
  const isPreview = await isSignedPreview(file, env.PREVIEW_SECRET);
  const delivery = deliveryOf(file, isPreview, env);

  let range = parseRange(request.headers.get("Range"));
  let object = await readObject(env.FILES, file.objectKey, range);
  const verdict = evaluatePreconditions(request.headers, object);
  if (verdict !== "perform") {
    await discard(object);
    return refuse(verdict, object, delivery);
  }
  if (range !== undefined && !ifRangeHolds(request.headers, object)) {
    await discard(object);
    range = undefined;
    object = await readObject(env.FILES, file.objectKey);
  }

  const part = range === undefined ? { offset: 0, length: object.size } : resolveRange(range, object.size);
  if (part === undefined) {
    await discard(object);
    throw ERRORS.RangeNotSatisfiable(object.size);
  }
  const headers = fileHeaders(object, delivery, part.length);
  if (range !== undefined) headers["Content-Range"] = contentRange(part, object.size);
  const response = new Response(object.body, { status: range === undefined ? 200 : 206, headers });
  if (part.offset === 0 && !isPreview && !isProbe(range)) onView(file);
  return response;
}

/** A player asks for the first two bytes (`bytes=0-1`) to learn whether it may ask for ranges; nobody has seen anything yet. */
function isProbe(range: RequestedRange | undefined): boolean {
  return range !== undefined && "offset" in range && range.offset === 0 && range.length === 2;
}

async function headFile(request: Request, env: FileBindings): Promise<Response> {
  const file = parseFileUrl(request.url);
  const isPreview = await isSignedPreview(file, env.PREVIEW_SECRET);
  const delivery = deliveryOf(file, isPreview, env);

  const object = await readFacts(env.FILES, file.objectKey);
  const verdict = evaluatePreconditions(request.headers, object);
  if (verdict !== "perform") return refuse(verdict, object, delivery);
  return new Response(null, { headers: fileHeaders(object, delivery, object.size) });
}

/** An expired or a forged token counts as absent: the file is public, and the view counts. */
async function isSignedPreview({ query, objectKey }: RequestedFile, secret: string): Promise<boolean> {
  const token = query === "" ? null : new URLSearchParams(query).get(PREVIEW_PARAMETER);
  return token !== null && (await verifyPreview(secret, objectKey, token, Date.now() / 1000));
}

function deliveryOf(file: RequestedFile, isPreview: boolean, { FILE_MAX_AGE_SECONDS }: FileBindings): Delivery {
  return {
    cacheControl: cacheControlOf(file.kind, isPreview, FILE_MAX_AGE_SECONDS),
    attachment: isDownload(file) ? attachment(file) : undefined,
  };
}

function refuse(verdict: "not-modified" | "failed", object: FoundObject, delivery: Delivery): Response {
  if (verdict === "failed") throw ERRORS.PreconditionFailed();
  return new Response(null, { status: 304, headers: unchangedHeaders(object, delivery) });
}

function toErrorResponse(error: unknown, method: string): Response {
  const known = error instanceof ServiceError ? error : ERRORS.Internal();
  if (known !== error) console.error(toLogLine("file.not-served", {}, error));
  return new Response(method === "HEAD" ? null : JSON.stringify(known.toBody()), {
    status: known.statusCode,
    headers: errorHeaders(known),
  });
}
