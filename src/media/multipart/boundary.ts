/** RFC 2046, 5.1.1: 1 to 70 characters of a small set, the last of them no space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const PARAMETER = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;

/**
 * The boundary that a `Content-Type` names. Undefined where the type is not `multipart/form-data` or the boundary is
 * missing or malformed.
 */
export function parseBoundary(contentType: string): string | undefined {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const match = PARAMETER.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  return boundary !== undefined && BOUNDARY.test(boundary) ? boundary : undefined;
}
