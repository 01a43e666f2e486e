import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { parsePublicUrl } from "../../domain/webhook-url.ts";
import { parseContentDisposition } from "../../multipart/content-disposition.ts";
import type { Services } from "../context.ts";
import { checkHost } from "../webhooks/check-host.ts";
import type { HostTurns } from "./host-turns.ts";
import { SourceStream, sourcePace } from "./source-stream.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const USER_AGENT = "media-host-import/1.0";
const PROTOCOLS = ["https:", "http:"] as const;

/** An earlier answer that a request continues. */
export interface Continuation {
  /** The position of the first byte that is missing. */
  readonly offset: number;
  readonly totalBytes: number;
  /** The entity tag, or the time of the last change, of the earlier answer. */
  readonly validator: string;
}

/** A source that has begun to answer. Its stream must be read or stopped. */
export interface Source {
  readonly bytes: SourceStream;
  /** The bytes of the whole file; undefined if the source has not declared them. */
  readonly totalBytes: number | undefined;
  /** Identifies this version of the file, if a broken answer can be continued from it. */
  readonly validator: string | undefined;
  /** The file's name as the source gives it; empty if it gives none. */
  readonly filename: string;
}

/** The host has no free turn now. */
export class HostBusy extends Error {}

type Context = Pick<Services, "config" | "now">;

/**
 * Requests a file from the public internet, on behalf of an account. Each redirect is judged like the first address: its text
 * (`parsePublicUrl`) and the addresses of its host (`checkHost`). Nothing of the URL is logged, because its query may be a signature.
 * @param endsAt the time at which the answer is cut off
 * @throws ServiceError `source_not_allowed`, `source_failed`; HostBusy
 */
export async function openSource(
  context: Context,
  hosts: HostTurns,
  { url: first, endsAt, from }: { readonly url: string; readonly endsAt: number; readonly from?: Continuation },
): Promise<Source> {
  let url = await allow(context, first);
  for (let redirects = 0; ; redirects++) {
    if (!(await hosts.enter(url.host))) throw new HostBusy();
    const aborting = new AbortController();
    const response = await request(url, aborting, from);
    if (!REDIRECTS.includes(response.status)) {
      try {
        return read(context, { url, endsAt, from }, response, aborting);
      } catch (error) {
        aborting.abort();
        throw error;
      }
    }
    aborting.abort();
    const location = response.headers.get("Location");
    if (location === null || redirects >= MAX_REDIRECTS || !URL.canParse(location, url.href)) {
      throw ERRORS.SourceFailed("redirects");
    }
    const target = await allow(context, new URL(location, url.href).href);
    if (url.protocol === "https:" && target.protocol !== "https:") throw ERRORS.SourceFailed("redirects");
    url = target;
  }
}

/** @throws ServiceError if the service does not fetch from there, or the name cannot be resolved */
async function allow({ config: { webhooks } }: Context, text: string): Promise<URL> {
  const parsed = parsePublicUrl(text, webhooks, PROTOCOLS);
  if ("reason" in parsed) throw ERRORS.SourceNotAllowed(parsed.reason);
  switch (await checkHost(webhooks, parsed.url.hostname)) {
    case "address":
      throw ERRORS.SourceNotAllowed("The host must have public addresses only");
    case "dns":
      throw ERRORS.SourceFailed("dns");
    case "public":
      return parsed.url;
  }
}

async function request(url: URL, aborting: AbortController, from: Continuation | undefined): Promise<Response> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    aborting.abort();
  }, sourcePace.answerMs);
  // The runtime would decode a compressed answer, and its length would be unknown.
  const headers = new Headers({ Accept: "image/*, video/*", "Accept-Encoding": "identity", "User-Agent": USER_AGENT });
  if (from !== undefined) {
    headers.set("Range", `bytes=${from.offset}-`);
    headers.set("If-Range", from.validator);
  }
  try {
    return await fetch(url, { headers, redirect: "manual", signal: aborting.signal });
  } catch {
    // The error's text may have the URL.
    throw ERRORS.SourceFailed(isLate ? "stalled" : "connection");
  } finally {
    clearTimeout(timer);
  }
}

function read(
  { now }: Context,
  { url, endsAt, from }: { readonly url: URL; readonly endsAt: number; readonly from: Continuation | undefined },
  response: Response,
  aborting: AbortController,
): Source {
  const { status, headers, body } = response;
  const encoding = headers.get("Content-Encoding") ?? "identity";
  if (from !== undefined && !continues(response, from)) throw ERRORS.SourceFailed("changed");
  if (from === undefined && status !== 200) throw ERRORS.SourceFailed("status", status);
  if (encoding.trim().toLowerCase() !== "identity") throw ERRORS.SourceFailed("encoding");
  if (body === null) throw ERRORS.NoFile("The source sent nothing");
  const declared = Number(headers.get("Content-Length") ?? Number.NaN);
  const answerBytes = Number.isSafeInteger(declared) && declared >= 0 ? declared : undefined;
  const totalBytes = from?.totalBytes ?? answerBytes;
  const expected = from === undefined ? answerBytes : from.totalBytes - from.offset;
  const bytes = new SourceStream(body, { totalBytes: expected, endsAt, now, abort: () => aborting.abort() });
  return { bytes, totalBytes, validator: from?.validator ?? validatorOf(headers), filename: nameOf(url, headers) };
}

/** Whether the answer has the missing bytes of the same version. A server whose file has changed answers 200 (RFC 9110, 13.1.5). */
function continues({ status, headers }: Response, { offset, totalBytes }: Continuation): boolean {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get("Content-Range") ?? "");
  const [first, last, total] = (range ?? []).slice(1).map(Number);
  return status === 206 && first === offset && last === totalBytes - 1 && total === totalBytes;
}

/** A validator for `If-Range` (RFC 9110, 13.1.5); undefined if the source answers no ranges. */
function validatorOf(headers: Headers): string | undefined {
  if (headers.get("Accept-Ranges")?.trim().toLowerCase() !== "bytes") return undefined;
  const tag = headers.get("ETag");
  if (tag !== null) return /^"[^"]*"$/.test(tag) ? tag : undefined;
  return headers.get("Last-Modified") ?? undefined;
}

function nameOf({ pathname }: URL, headers: Headers): string {
  const given = parseContentDisposition(headers.get("Content-Disposition") ?? "")?.filename;
  return given ?? decode(pathname.slice(pathname.lastIndexOf("/") + 1));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether a later attempt may succeed. */
export function mayPass(error: ServiceError): boolean {
  const { reason, status } = (error.details ?? {}) as { reason?: string; status?: number };
  if (reason === "status") return status !== undefined && (status >= 500 || [408, 425, 429].includes(status));
  return reason !== "redirects" && reason !== "encoding";
}
