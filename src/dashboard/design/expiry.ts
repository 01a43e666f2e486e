const DAY_MS = 86_400_000;

/** The choices for the expiry of a new key. */
export const EXPIRIES = [
  { value: "never", title: "Never" },
  { value: "30", title: "In 30 days" },
  { value: "90", title: "In 90 days" },
  { value: "365", title: "In a year" },
  { value: "date", title: "On a date" },
] as const;

export type Expiry = (typeof EXPIRIES)[number]["value"];

/**
 * The time from which the service refuses a new key; null: never.
 * @param day YYYY-MM-DD, for `date`: the key works until the end of this day, in the reader's time zone
 * @param now milliseconds since 1970
 */
export function toExpiresAt(expiry: Expiry, day: string, now: number): string | null {
  if (expiry === "never") return null;
  const at = expiry === "date" ? new Date(`${day}T23:59:59.999`) : new Date(now + Number(expiry) * DAY_MS);
  return at.toISOString();
}

/** The day of a time in the reader's time zone, as `<input type="date">` has it. @param at milliseconds since 1970 */
export function toDay(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
