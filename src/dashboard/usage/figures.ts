const DAY_MS = 86_400_000;

/** When the month's operations start again, in words: `in 12 days, on 1 December`. Days are UTC's, as the service counts. */
export function resetInWords(resetAt: string, now: number, locale = "en-GB"): string {
  const at = Date.parse(resetAt);
  const days = Math.max(0, startOfDay(at) - startOfDay(now)) / DAY_MS;
  const distance = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  return `${distance}, on ${dayInWords(resetAt, locale)}`;
}

/** `1 December`, UTC, in the order of the reader's language. */
export function dayInWords(time: string, locale = "en-GB"): string {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(time));
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** A part of a limit as people read it: `66 %`; what is little but not nothing is `< 1 %`, and nothing that is not all is `100 %`. */
export function percentInWords(part: number, whole: number, locale = "en-GB"): string {
  const share = whole <= 0 ? 0 : part / whole;
  const format = (value: number) =>
    new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(value);
  if (share > 0 && share < 0.01) return `< ${format(0.01)}`;
  return format(share < 1 ? Math.min(0.99, share) : share);
}

/** The first day to ask for: of this billing month, or as far back as the service remembers. @returns `2026-11-01` */
export function firstDay(span: "month" | "all", resetAt: string, now: number): string {
  if (span === "all") return toDay(now - 90 * DAY_MS);
  const end = new Date(Date.parse(resetAt));
  // A month that ends on the 31st begins on the last day of a month that has none.
  const lastOfMonthBefore = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), 0)).getUTCDate();
  const day = Math.min(end.getUTCDate(), lastOfMonthBefore);
  return toDay(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, day));
}

/** `2026-11-21`, UTC. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
