/** RFC 2046, 5.1.1: 1 to 70 characters of a small set, the last of them no space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const TYPE = /^\s*multipart\/form-data/i;
/** Sticky, one parameter after the other: a `boundary=` within another's quoted value is none. */
const PARAMETER = /\s*;\s*([^\s;="]+)=(?:"([^"]*)"|([^\s;"]*))/y;

/**
 * The boundary that a `Content-Type` names. Undefined where the type is not `multipart/form-data` or the boundary is
 * missing or malformed.
 */
export function parseBoundary(contentType: string): string | undefined {
  const type = TYPE.exec(contentType)?.[0];
  if (type === undefined) return undefined;
  PARAMETER.lastIndex = type.length;
  for (let match = PARAMETER.exec(contentType); match !== null; match = PARAMETER.exec(contentType)) {
    if (match[1]?.toLowerCase() !== "boundary") continue;
    const boundary = match[2] ?? match[3] ?? "";
    const isWhole = /^\s*(?:;|$)/.test(contentType.slice(PARAMETER.lastIndex));
    return isWhole && BOUNDARY.test(boundary) ? boundary : undefined;
  }
  return undefined;
}
