import { z } from "@hono/zod-openapi";

/** Counts the characters (code points) of a text. JSON Schema counts them, too; zod's own `max` counts UTF-16 units. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Text of `min` to `max` characters that is stored exactly as sent: passwords, ids. */
export function exactText({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  return z
    .string()
    .refine((text) => countCharacters(text) >= min, min === 1 ? "Must not be empty" : `At least ${min} characters`)
    .refine((text) => countCharacters(text) <= max, `At most ${max} characters`)
    .openapi({ type: "string", ...(min === 0 ? {} : { minLength: min }), maxLength: max });
}

/** A time with its offset (RFC 3339), or null. */
export function nullableTime(description: string) {
  return z
    .string()
    .datetime({ offset: true })
    .nullable()
    .openapi({
      type: ["string", "null"],
      format: "date-time",
      pattern: z.regexes.datetime({ offset: true }).source,
      description,
    });
}

/** Control characters (`\\p{Cc}`), as the inside of a regular expression's brackets. */
export const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";

/** Control characters, and the marks that reorder or hide text: no name contains them. */
export const UNREADABLE = `${CONTROLS}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff`;

/**
 * The pattern of text without some characters and without lone surrogates. It means the same with and without the flag `u`, because validators
 * and generated clients differ in it.
 */
export function without(forbidden: string): string {
  return `(?:[^${forbidden}\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*`;
}

interface LineRule {
  readonly max: number;
  readonly mayBeEmpty?: boolean;
  /** Characters that a line must not contain, besides lone surrogates; as the inside of a regular expression's brackets. */
  readonly forbidden?: string;
}

/**
 * A line of text for people, stored trimmed and in NFC. The shorter of its sent and stored forms is compared with `max`, so that every text
 * that the description's `maxLength` allows is accepted.
 */
export function line({ max, mayBeEmpty = false, forbidden }: LineRule) {
  const refused = forbidden === undefined ? undefined : new RegExp(`[${forbidden}\\ud800-\\udfff]`, "u");
  const allowed = forbidden === undefined ? undefined : `${without(forbidden)}$`;
  return z
    .string()
    .transform((given, { addIssue }) => {
      const kept = given.trim().normalize("NFC");
      if (kept === "" && !mayBeEmpty) addIssue({ code: "custom", message: "Must not be empty" });
      if (Math.min(countCharacters(given), countCharacters(kept)) > max) {
        addIssue({ code: "custom", message: `At most ${max} characters` });
      }
      if (refused?.test(kept)) addIssue({ code: "custom", message: "Control characters are not allowed" });
      return kept;
    })
    .openapi({
      type: "string",
      maxLength: max,
      ...(mayBeEmpty ? {} : { minLength: 1 }),
      ...(mayBeEmpty && allowed === undefined ? {} : { pattern: `^${mayBeEmpty ? "" : "(?=.*\\S)"}${allowed ?? ""}` }),
    });
}

/** A text or null. The description repeats `null`, because the text's own `type` would hide it. */
export function orNull(text: ReturnType<typeof line>) {
  return text.nullable().openapi({ type: ["string", "null"] });
}
