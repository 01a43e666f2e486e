const IMF_FIXDATE_LENGTH = "Sun, 06 Nov 1994 08:49:37 GMT".length;

/** An IMF-fixdate (RFC 9110, 5.6.7) in milliseconds; undefined for every other form and for days that do not exist. */
export function parseHttpDate(value: string): number | undefined {
  if (value.length !== IMF_FIXDATE_LENGTH) return undefined;
  const milliseconds = Date.parse(value);
  // `Date.parse` accepts other forms, too. Only an IMF-fixdate is the same after formatting.
  return !Number.isNaN(milliseconds) && formatHttpDate(new Date(milliseconds)) === value ? milliseconds : undefined;
}

/** `toUTCString` is an IMF-fixdate for the years 0 to 9999. */
export function formatHttpDate(date: Date): string {
  return date.toUTCString();
}
