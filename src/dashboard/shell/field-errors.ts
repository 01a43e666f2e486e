import { describeError } from "../design/describe-error.ts";

interface FieldErrors<Name extends string> {
  readonly fields: { readonly [Field in Name]?: string };
  /** A message that belongs to no field. */
  readonly message?: string;
}

/**
 * The messages of a service error for a form: the messages of `details` belong to fields, any other message is shown above the button.
 * `details` are `{email: "Invalid email address"}` or `{email: ["...", "..."]}`.
 */
export function fieldErrors<Name extends string>(error: unknown, names: readonly Name[]): FieldErrors<Name> {
  if (error === null || error === undefined) return { fields: {} };
  const details = (error as { details?: Readonly<Record<string, unknown>> }).details ?? {};
  const fields: { [Field in Name]?: string } = {};
  for (const name of names) {
    const words = details[name];
    const first = Array.isArray(words) ? words[0] : words;
    if (typeof first === "string") fields[name] = first;
  }
  return Object.keys(fields).length > 0 ? { fields } : { fields, message: describeError(error).message };
}
