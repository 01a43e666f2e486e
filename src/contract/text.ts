import { z } from "@hono/zod-openapi";

/** How many characters (code points) a text has. JSON Schema counts these, zod's own `max` counts UTF-16 units. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Text of `min` to `max` characters that is kept exactly as it is sent: passwords, ids. */
export function exactText({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  return z
    .string()
    .refine((text) => countCharacters(text) >= min, min === 1 ? "Must not be empty" : `At least ${min} characters`)
    .refine((text) => countCharacters(text) <= max, `At most ${max} characters`)
    .openapi({ type: "string", ...(min === 0 ? {} : { minLength: min }), maxLength: max });
}

interface LineRule {
  readonly max: number;
  readonly mayBeEmpty?: boolean;
  /** Characters that a line must not hold, as the inside of a regular expression's brackets. */
  readonly forbidden?: string;
}

/**
 * A line of text that people see: kept trimmed and in NFC. Its length is that of the text as sent or as kept, whichever is less,
 * so that whatever the description's `maxLength` allows is accepted.
 */
export function line({ max, mayBeEmpty = false, forbidden }: LineRule) {
  const refused = forbidden === undefined ? undefined : new RegExp(`[${forbidden}]`, "u");
  const allowed = forbidden === undefined ? undefined : `[^${forbidden}]*$`;
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

/** The same text, or null. Said in the description too, where a text's own `type` would hide it. */
export function orNull(text: ReturnType<typeof line>) {
  return text.nullable().openapi({ type: ["string", "null"] });
}
