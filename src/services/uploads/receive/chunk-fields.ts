import { ERRORS } from "../../../domain/errors.ts";

/**
 * Fields by which form libraries say that they send a slice of a file: how many there are, and which one this is
 * (Dropzone, flow.js, Resumable.js, Plupload, Fine Uploader).
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
 * Refuses a slice, which would be stored as a broken file. A form whose only slice is the whole file is like any other.
 * @param fields those of `isChunkField`, by name
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
 * Refuses a request whose `Content-Range` (RFC 9110, 14.5) says that its body is a slice.
 * @throws ServiceError 400
 */
export function refuseContentRange(contentRange: string | null): void {
  if (contentRange === null) return;
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange.trim());
  const isWhole = range !== null && Number(range[1]) === 0 && Number(range[2]) + 1 === Number(range[3]);
  if (!isWhole) throw ERRORS.ChunkedForm();
}
