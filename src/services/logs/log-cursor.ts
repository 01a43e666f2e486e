import { fromBase64Url, toBase64Url } from "../../domain/base64url.ts";
import type { LogPosition } from "../../meter/newest-views.ts";

/** A cursor is the place of the last operation shown. Opaque to clients. */
const FORM = /^1\.(\d{1,15})\.([0-9A-Za-z:_-]{1,100})$/;
const MAX_CHARACTERS = 200;

export function toLogCursor({ at, id }: LogPosition): string {
  return toBase64Url(`1.${at}.${id}`);
}

/** @returns the place; undefined where `cursor` is none of ours */
export function readLogCursor(cursor: string): LogPosition | undefined {
  if (cursor.length > MAX_CHARACTERS) return undefined;
  const [, at, id] = FORM.exec(fromBase64Url(cursor) ?? "") ?? [];
  if (at === undefined || id === undefined) return undefined;
  const place = { at: Number(at), id };
  return toLogCursor(place) === cursor ? place : undefined;
}
