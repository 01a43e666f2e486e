import { ERRORS } from "../../../domain/errors.ts";
import type { MultipartPart } from "../../../multipart/read-multipart.ts";

const MAX_FIELD_BYTES = 16 * 1024;

/** A form's text field. @throws ServiceError 400 where it is too long; MultipartError, BodyTooLargeError */
export async function readText(part: MultipartPart): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await part.read(); chunk !== undefined; chunk = await part.read()) {
    length += chunk.length;
    if (length > MAX_FIELD_BYTES) throw ERRORS.InvalidRequest({ [part.name]: "The value is too long" });
    // A copy, as the chunk is valid until the next read only (`slice` would not copy a Buffer).
    chunks.push(new Uint8Array(chunk));
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
