/** A requested range in R2's form, in bytes: from an offset, or the last bytes. */
export type RequestedRange = { readonly offset: number; readonly length?: number } | { readonly suffix: number };

/** A range of a file whose size is known, in bytes. `length` is at least 1. */
export interface SatisfiedRange {
  readonly offset: number;
  readonly length: number;
}

/** Unit names are case-insensitive (RFC 9110, 14.1). A set of ranges begins with a range or with a comma. */
const RANGE_SET = /^bytes=([\d,-].*)$/i;
/** No two parts can match the same character, so this is linear on any input. */
const SINGLE_RANGE = /^(\d*)-(\d*)$/;

/**
 * The single range of a `Range` header (RFC 9110, 14.1.2). Undefined if the whole file is to be sent: no header, another unit, a malformed
 * range, or several ranges, which a server may ignore (RFC 9110, 14.2). Positions above 2^53 - 1 count as that number.
 */
export function parseRange(header: string | null): RequestedRange | undefined {
  const set = header === null ? null : RANGE_SET.exec(header);
  const match = set === null ? null : SINGLE_RANGE.exec(onlyElement(set[1] ?? ""));
  if (match === null) return undefined;
  const first = toPosition(match[1]);
  const last = toPosition(match[2]);
  if (first === undefined) return last === undefined ? undefined : { suffix: last };
  if (last === undefined) return { offset: first };
  if (last < first) return undefined;
  return last === Number.MAX_SAFE_INTEGER ? { offset: first } : { offset: first, length: last - first + 1 };
}

/** Resolves a range for a file of this size (RFC 9110, 14.1.2); undefined if it is unsatisfiable. */
export function resolveRange(range: RequestedRange, sizeBytes: number): SatisfiedRange | undefined {
  const offset = "suffix" in range ? Math.max(0, sizeBytes - range.suffix) : range.offset;
  const asked = "suffix" in range ? range.suffix : (range.length ?? Number.MAX_SAFE_INTEGER);
  const length = Math.min(asked, sizeBytes - offset);
  return length > 0 ? { offset, length } : undefined;
}

/** The value of `Content-Range` (RFC 9110, 14.4). */
export function contentRange({ offset, length }: SatisfiedRange, sizeBytes: number): string {
  return `bytes ${offset}-${offset + length - 1}/${sizeBytes}`;
}

/** The only element of a list whose other elements are empty (RFC 9110, 5.6.1.2), else an empty string. */
function onlyElement(list: string): string {
  const elements = list.split(",").map((element) => element.trim());
  const [first = "", ...others] = elements.filter((element) => element !== "");
  return others.length === 0 ? first : "";
}

function toPosition(digits: string | undefined): number | undefined {
  return digits ? Math.min(Number(digits), Number.MAX_SAFE_INTEGER) : undefined;
}
