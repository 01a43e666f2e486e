import { parseHttpDate } from "./http-date.ts";

/** R2's facts that identify a version of a file. */
export interface Validators {
  /** A strong entity tag, with its quotes. */
  readonly httpEtag: string;
  /** The time of Last-Modified, with fractions of a second. */
  readonly uploaded: Date;
}

export type Verdict = "perform" | "not-modified" | "failed";

type RequestHeaders = Pick<Headers, "get">;

/** One member of a list of entity tags (RFC 9110, 8.8.3 and 5.6.1). It runs in linear time, because clients control the input. */
const LIST_MEMBER = /[ \t,]*(W\/)?("[^"]*")[ \t]*(?:,|$)/y;

/**
 * Evaluates the precondition headers of a GET or HEAD in the order of RFC 9110, 13.2.2, steps 1 to 4. A date that is not an IMF-fixdate is
 * ignored. A malformed list of entity tags matches up to the malformed member.
 */
export function evaluatePreconditions(headers: RequestHeaders, current: Validators): Verdict {
  const ifMatch = headers.get("If-Match");
  if (ifMatch !== null) {
    if (!matchesAny(ifMatch, current.httpEtag, "strong")) return "failed";
  } else {
    const unmodifiedSince = dateOf(headers, "If-Unmodified-Since");
    if (unmodifiedSince !== undefined && wholeSeconds(current.uploaded) > unmodifiedSince) return "failed";
  }

  const ifNoneMatch = headers.get("If-None-Match");
  if (ifNoneMatch !== null) return matchesAny(ifNoneMatch, current.httpEtag, "weak") ? "not-modified" : "perform";
  const modifiedSince = dateOf(headers, "If-Modified-Since");
  if (modifiedSince !== undefined && wholeSeconds(current.uploaded) <= modifiedSince) return "not-modified";
  return "perform";
}

/**
 * Step 5: whether a range may be sent, because it continues the version that the client has (RFC 9110, 13.1.5). The tag is compared
 * strongly, the date exactly. A date is a strong validator here, because a key is written once.
 */
export function ifRangeHolds(headers: RequestHeaders, current: Validators): boolean {
  const ifRange = headers.get("If-Range");
  return ifRange === null || ifRange === current.httpEtag || parseHttpDate(ifRange) === wholeSeconds(current.uploaded);
}

function matchesAny(list: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (list === "*") return true;
  LIST_MEMBER.lastIndex = 0;
  for (let member = LIST_MEMBER.exec(list); member !== null; member = LIST_MEMBER.exec(list)) {
    if (member[2] === etag && (comparison === "weak" || member[1] === undefined)) return true;
  }
  return false;
}

function dateOf(headers: RequestHeaders, name: string): number | undefined {
  const value = headers.get(name);
  return value === null ? undefined : parseHttpDate(value);
}

/** HTTP dates have no fractions. Without rounding, a file would be newer than its own Last-Modified. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}
