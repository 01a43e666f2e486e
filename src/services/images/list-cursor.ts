import { MAX_NUMBER } from "../../db/library/uploads.ts";
import { fromBase64Url, toBase64Url } from "../../domain/base64url.ts";

/** A cursor is the position of the last item shown, so newer items do not shift the next page. Opaque to clients. */
const VERSION = "1.";
/** A fixed length, so that a truncated cursor is invalid. */
const DIGITS = 19;

export function toCursor(position: string): string {
  return toBase64Url(VERSION + position.padStart(DIGITS, "0"));
}

/** @returns the position; undefined if `cursor` is invalid */
export function readCursor(cursor: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(cursor)) return undefined;
  const text = fromBase64Url(cursor) ?? "";
  const position = /^1\.(\d{19})$/.exec(text)?.[1];
  if (position === undefined || BigInt(position) > MAX_NUMBER || toCursor(position) !== cursor) return undefined;
  return position;
}
