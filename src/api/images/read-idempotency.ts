import { ERRORS } from "../../domain/errors.ts";
import type { Idempotency } from "../../services/uploads/upload-once.ts";

const HEADER = "Idempotency-Key";
/** A String of RFC 9651, 3.3.3, whose characters need no escaping; many clients leave the quotes out. */
const KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,128})"|([\w.:+/=-]{1,128}))$/;

/**
 * How a request is known when it is sent again (draft-ietf-httpapi-idempotency-key-header, 2.1); undefined where its client does not
 * care. A form's boundary differs each time, but not its length.
 * @throws ServiceError 400 where the key is malformed
 */
export function readIdempotency({ headers, url }: Request, contentType: string): Idempotency | undefined {
  const header = headers.get(HEADER)?.trim();
  if (header === undefined) return undefined;
  const [, quoted, bare] = KEY.exec(header) ?? [];
  const key = quoted ?? bare;
  if (key === undefined) throw ERRORS.InvalidIdempotencyKey("Must be a string of 1 to 128 characters, in quotes");
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase();
  const length = headers.get("Content-Length") ?? "";
  return { key, fingerprint: JSON.stringify([mediaType, length, new URL(url).search]).slice(0, MAX_FINGERPRINT) };
}

/** A query may be long, and what comes this far behind it tells few requests apart. */
const MAX_FINGERPRINT = 1000;
