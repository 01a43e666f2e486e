import { ERRORS } from "../../../domain/errors.ts";
import { rootOf } from "../../../domain/principal.ts";
import { normalizeTags } from "../../../domain/tags.ts";
import type { MultipartPart } from "../../../multipart/read-multipart.ts";
import type { AccountContext } from "../../context.ts";
import { resolveFolder } from "../../folders/resolve-folder.ts";

/** The fields of a request, which apply to all of its files and may come before or after them (UP-2). */
export interface UploadFields {
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: string[];
}

/**
 * The fields of a request without fields: those of its upload token. If a confined key's folder was deleted, the row's foreign key detects
 * it.
 */
export function defaultFields(account: AccountContext): UploadFields {
  const { principal } = account;
  const tags = principal.kind === "upload-token" ? [...principal.limits.tags] : [];
  return { folderId: rootOf(account), tags };
}

/** The fields as sent by the client; several values of `tags` are joined. */
export interface UploadFieldTexts {
  readonly folderId?: string | undefined;
  readonly tags?: string | undefined;
}

/**
 * Adds fields to earlier ones.
 * @throws ServiceError 400 for a malformed value, 404 for an unknown folder
 */
export async function addFields(
  account: AccountContext,
  fields: UploadFields,
  said: UploadFieldTexts,
): Promise<UploadFields> {
  const tags = said.tags === undefined ? fields.tags : normalizeTags([...fields.tags, ...said.tags.split(",")]);
  if (said.folderId === undefined) return { ...fields, tags };
  const named = said.folderId.trim();
  return { folderId: await resolveFolder(account, named === "" || named === "root" ? null : named), tags };
}

const MAX_FIELD_BYTES = 16 * 1024;

/** A form's text field. @throws ServiceError 400 if it is too long; MultipartError, BodyTooLargeError */
export async function readText(part: MultipartPart): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await part.read(); chunk !== undefined; chunk = await part.read()) {
    length += chunk.length;
    if (length > MAX_FIELD_BYTES) throw ERRORS.InvalidRequest({ [part.name]: "The value is too long" });
    // A copy, because the chunk is valid only until the next read (`slice` would not copy a Buffer).
    chunks.push(new Uint8Array(chunk));
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * Fields with which form libraries send a slice of a file: the number of slices, and the slice's index (Dropzone,
 * flow.js, Resumable.js, Plupload, Fine Uploader).
 */
const CHUNKING: readonly (readonly [total: string, index: string])[] = [
  ["dztotalchunkcount", "dzchunkindex"],
  ["flowTotalChunks", "flowChunkNumber"],
  ["resumableTotalChunks", "resumableChunkNumber"],
  ["chunks", "chunk"],
  ["qqtotalparts", "qqpartindex"],
];
const NAMES = new Set(CHUNKING.flat());

export function isChunkField(name: string): boolean {
  return NAMES.has(name);
}

/**
 * Refuses a slice, which would be stored as a broken file (UP-8). A form whose only slice is the whole file is
 * accepted.
 * @param fields the `isChunkField` fields by name
 * @throws ServiceError 400
 */
export function refuseSlice(fields: ReadonlyMap<string, string>): void {
  for (const [totalName, indexName] of CHUNKING) {
    const total = fields.get(totalName);
    // Plupload's index alone means nothing: other forms have a field of that name.
    const isSlice = total === undefined ? fields.has(indexName) && indexName !== "chunk" : Number(total) > 1;
    if (isSlice) throw ERRORS.ChunkedForm();
  }
}

/**
 * Refuses a request whose `Content-Range` (RFC 9110, 14.5) declares its body a slice.
 * @throws ServiceError 400
 */
export function refuseContentRange(contentRange: string | null): void {
  if (contentRange === null) return;
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange.trim());
  const isWhole = range !== null && Number(range[1]) === 0 && Number(range[2]) + 1 === Number(range[3]);
  if (!isWhole) throw ERRORS.ChunkedForm();
}
