import { ERRORS } from "../../domain/errors.ts";
import { MAX_METADATA_BYTES } from "../../domain/resumable.ts";
import type { ResumableDescription } from "../../services/uploads/resumable/create-resumable.ts";

/** A number of bytes, without a sign and not beyond what JavaScript counts exactly. */
const BYTES = /^\d{1,15}$/;
/** RFC 4648, 4, with its padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Printable ASCII without space and comma. */
const KEY = /^[!-+\--~]+$/;
/** Keys that mean something here; others are kept and given back. */
const SAID = new Set(["filename", "name", "folderId", "tags"]);

/**
 * What a creation says of its upload (tus 1.0.0, Creation).
 * @throws ServiceError 400
 */
export function readCreation(headers: Headers): ResumableDescription {
  // A client that splits its file does not ask OPTIONS before; its first part would be kept as a whole file.
  if (headers.has("Upload-Concat")) {
    throw ERRORS.InvalidRequest({ "Upload-Concat": "Concatenation is not supported; send one upload in pieces" });
  }
  const length = readBytes(headers, "Upload-Length");
  const deferred = headers.get("Upload-Defer-Length");
  if (deferred !== null && (deferred !== "1" || length !== undefined)) {
    throw ERRORS.InvalidRequest({ "Upload-Defer-Length": "It is 1, and stands where Upload-Length does not" });
  }
  if (deferred === null && length === undefined) {
    throw ERRORS.InvalidRequest({ "Upload-Length": "Upload-Length or Upload-Defer-Length is required" });
  }
  const metadata = headers.get("Upload-Metadata");
  const said = readMetadata(metadata ?? "");
  return {
    ...{ length: length ?? null, metadata },
    ...{ filename: said.get("filename") ?? said.get("name") ?? "" },
    ...{ folderId: said.get("folderId"), tags: said.get("tags") },
  };
}

/** @throws ServiceError 400 for anything but a number; undefined where the header is not there */
export function readBytes(headers: Headers, name: "Upload-Length" | "Upload-Offset"): number | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  if (!BYTES.test(value)) throw ERRORS.InvalidRequest({ [name]: "It is a number of bytes" });
  return Number(value);
}

/** @throws ServiceError 400 where a key is malformed or there twice, or a value is no base64 of UTF-8 */
function readMetadata(header: string): Map<string, string> {
  const fail = (reason: string) => ERRORS.InvalidRequest({ "Upload-Metadata": reason });
  if (header.length > MAX_METADATA_BYTES) throw fail(`It has at most ${MAX_METADATA_BYTES} bytes`);
  const values = new Map<string, string>();
  for (const pair of header.trim() === "" ? [] : header.split(",")) {
    const [key = "", value = "", ...rest] = pair.trim().split(" ");
    if (!KEY.test(key) || rest.length > 0) throw fail("Pairs of a key and a base64 value are separated by commas");
    if (values.has(key)) throw fail(`The key ${key} is there twice`);
    if (!BASE64.test(value)) throw fail(`The value of ${key} is not base64`);
    const text = decode(value);
    if (text === undefined && SAID.has(key)) throw fail(`The value of ${key} is not UTF-8`);
    values.set(key, text ?? "");
  }
  return values;
}

function decode(base64: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}
