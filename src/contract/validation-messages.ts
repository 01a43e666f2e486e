import { z } from "@hono/zod-openapi";
import { findNearestName } from "../domain/nearest-name.ts";

type RawIssue = z.core.$ZodRawIssue;

/** A message lists at most this number of values. */
const MOST_LISTED = 20;

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  date: "a date",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  url: "a URL",
  datetime: "a time as in RFC 3339",
  date: "a day as in 2026-11-30",
  base64: "base64",
  base64url: "base64url",
};

/** The unit of each kind of value whose size is limited. */
const UNITS: Readonly<Record<string, string>> = {
  string: "characters",
  array: "items",
  set: "items",
  map: "entries",
  file: "bytes",
};

/**
 * The message for a wrong value, in the service's words. A schema's own message takes precedence.
 * @returns undefined for an issue that only a schema can explain
 */
export function messageOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "Required" : `Must be ${TYPES[issue.expected] ?? `of type ${issue.expected}`}`;
    case "invalid_value":
      return `Must be ${listValues(issue.values)}`;
    case "invalid_format":
      return `Must be ${FORMATS[issue.format] ?? "in the documented form"}`;
    case "too_small":
      return sizeMessage(
        issue.origin,
        issue.exact ? "exactly" : issue.inclusive ? "at least" : "more than",
        issue.minimum,
      );
    case "too_big":
      return sizeMessage(
        issue.origin,
        issue.exact ? "exactly" : issue.inclusive ? "at most" : "less than",
        issue.maximum,
      );
    case "not_multiple_of":
      return `Must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return unknownMessage(issue.keys, issue.inst);
    case "invalid_union":
      return "Must be one of the documented forms";
    default:
      return undefined;
  }
}

/** Names the known field that is nearest to each unknown one (SVC-8). */
function unknownMessage(keys: readonly string[], schema: RawIssue["inst"]): string {
  const listed = keys.slice(0, MOST_LISTED);
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const nearest = new Set(listed.map((key) => findNearestName(key, known)).filter((name) => name !== undefined));
  const question = nearest.size === 0 ? "" : `; did you mean ${[...nearest].map(quote).join(", ")}?`;
  return `Unknown ${keys.length === 1 ? "field" : "fields"} ${listed.map(quote).join(", ")}${question}`;
}

function sizeMessage(origin: string, bound: string, size: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `Must be ${bound} ${size}`;
  return `Must have ${bound} ${size} ${size === 1 ? unit.replace(/(ie)?s$/, (end) => (end === "ies" ? "y" : "")) : unit}`;
}

function listValues(values: readonly unknown[]): string {
  const texts = values.slice(0, MOST_LISTED).map((value) => (typeof value === "string" ? quote(value) : String(value)));
  if (values.length > MOST_LISTED) texts.push("another documented value");
  const last = texts.pop() ?? "";
  return texts.length === 0 ? last : `${texts.join(", ")} or ${last}`;
}

/** The beginning of a text that a client sent: clients decide its length, and messages stay short. */
function quote(text: string): string {
  return `\`${text.slice(0, 64)}\``;
}
