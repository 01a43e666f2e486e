import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { RawBody } from "../../multipart/byte-window.ts";
import { parseContentDisposition } from "../../multipart/content-disposition.ts";
import { MultipartReader, parseBoundary } from "../../multipart/read-multipart.ts";
import type { AccountContext } from "../../services/context.ts";
import { refuseContentRange } from "../../services/uploads/receive/upload-fields.ts";
import { declaredBytes } from "../uploads/upload-headers.ts";

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
