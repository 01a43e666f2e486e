import { ERRORS } from "../domain/errors.ts";
import { MAX_KEY_BYTES, type ObjectKeyParts, parseObjectKey } from "../domain/object-key.ts";

export interface RequestedFile extends ObjectKeyParts {
  readonly objectKey: string;
  /** Still encoded, without the question mark; may be empty. */
  readonly query: string;
}

/** A name contains no slash. An encoded slash differs from a plain one (RFC 3986, 2.2), so such a path names nothing. */
const ENCODED_SLASH = /%2f/i;
const URL_PARTS = /^[^:]+:\/\/[^/?#]*\/?([^?#]*)\??([^#]*)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;
/** One byte takes at most three characters of a URL: `%2F`. */
const MAX_ENCODED_LENGTH = 3 * MAX_KEY_BYTES;

/**
 * The file that a URL names. The path is decoded exactly once: `%252f` becomes `%2f`.
 * @throws ServiceError 400 for escapes that are not UTF-8 and for control characters, 414 for a key that is too long for R2, 404 if the
 * path is not one of this service's keys
 */
export function parseFileUrl(url: string): RequestedFile {
  const [, path = "", query = ""] = URL_PARTS.exec(url) ?? [];
  if (path.length > MAX_ENCODED_LENGTH) throw ERRORS.KeyTooLong();
  const objectKey = decode(path);
  if (CONTROL.test(objectKey)) throw ERRORS.MalformedUrl();
  if (exceedsKeyBytes(objectKey)) throw ERRORS.KeyTooLong();
  const parts = ENCODED_SLASH.test(path) ? undefined : parseObjectKey(objectKey);
  if (parts === undefined) throw ERRORS.FileNotFound();
  return { ...parts, objectKey, query };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw ERRORS.MalformedUrl();
  }
}

/** A character takes at most three bytes of UTF-8, so most keys are measured without encoding them. */
function exceedsKeyBytes(key: string): boolean {
  return key.length * 3 > MAX_KEY_BYTES && new TextEncoder().encode(key).length > MAX_KEY_BYTES;
}
