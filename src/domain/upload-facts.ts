import { isDay } from "./calendar.ts";

/** The client's own facts about an upload (EDIT-1). */
export interface UploadFacts {
  /** The client's own id of the upload. */
  readonly externalId: string | null;
  readonly alt: string | null;
  /** JSON text of an object. */
  readonly metadata: string | null;
}

/** The facts that an upload can have from its beginning. */
export interface NewUploadFacts extends UploadFacts {
  /** The time at which the upload is deleted. */
  readonly expiresAt: number | null;
}

export const NO_FACTS: NewUploadFacts = { externalId: null, alt: null, metadata: null, expiresAt: null };

export const MAX_EXTERNAL_ID_CHARACTERS = 200;
export const MAX_ALT_CHARACTERS = 1000;
/** Bytes of a client's metadata as JSON in UTF-8. */
export const MAX_FACTS_BYTES = 2048;
/** Objects and lists within each other. */
export const MAX_FACTS_DEPTH = 8;

/** Five years. */
const MAX_EXPIRY_SECONDS = 5 * 365 * 86_400;

/** A value as it is stored, or the problem with it for the error's details. */
export type Reading<Value> = { readonly value: Value } | { readonly problem: string };

const CONTROLS = /[\p{Cc}\p{Cs}]/u;

/** An id is stored exactly as sent. */
export function readExternalId(given: string): Reading<string> {
  if (given === "") return { problem: "Must not be empty" };
  if (Array.from(given).length > MAX_EXTERNAL_ID_CHARACTERS)
    return { problem: `At most ${MAX_EXTERNAL_ID_CHARACTERS} characters` };
  return CONTROLS.test(given) ? { problem: "Control characters are not allowed" } : { value: given };
}

/** A description is stored trimmed and in NFC. Nothing is left of an empty one. */
export function readAlt(given: string): Reading<string | null> {
  const kept = given.trim().normalize("NFC");
  if ([given, kept].every((text) => Array.from(text).length > MAX_ALT_CHARACTERS))
    return { problem: `At most ${MAX_ALT_CHARACTERS} characters` };
  if (CONTROLS.test(kept)) return { problem: "Control characters are not allowed" };
  return { value: kept === "" ? null : kept };
}

/** Metadata is stored as JSON text. @param given a value of JSON */
export function readMetadata(given: unknown): Reading<string> {
  if (!isObject(given)) return { problem: "Must be a JSON object" };
  if (!isWithinDepth(given, MAX_FACTS_DEPTH)) return { problem: `At most ${MAX_FACTS_DEPTH} levels` };
  const text = JSON.stringify(given);
  const sizeBytes = new TextEncoder().encode(text).length;
  return sizeBytes > MAX_FACTS_BYTES ? { problem: `At most ${MAX_FACTS_BYTES} bytes as JSON` } : { value: text };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** The time at which an upload is deleted, in ISO 8601 with an offset. */
export function readExpiresAt(given: string, now: number): Reading<number> {
  const at = TIME.test(given) && isDay(given.slice(0, 10)) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at)) return { problem: "Must be a time in ISO 8601, with `Z` or an offset" };
  return at > now && at <= now + MAX_EXPIRY_SECONDS * 1000
    ? { value: at }
    : { problem: "Must be in the future, and within five years" };
}

/** The same as a number of seconds from now. */
export function readExpiresIn(given: string, now: number): Reading<number> {
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  return seconds >= 1 && seconds <= MAX_EXPIRY_SECONDS
    ? { value: now + seconds * 1000 }
    : { problem: `Must be a whole number of seconds from 1 to ${MAX_EXPIRY_SECONDS}` };
}

/** Metadata that a client sent as text. */
export function parseMetadata(given: string): Reading<string> {
  try {
    return readMetadata(JSON.parse(given));
  } catch {
    return { problem: "Must be a JSON object" };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of 256 KB can have more levels than the stack has room for, so the walk ends at the limit. */
function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isWithinDepth(each, levels - 1));
}
