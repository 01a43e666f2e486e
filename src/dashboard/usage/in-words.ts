const DAY_MS = 86_400_000;

/** The time until the month's operations reset: `in 12 days, on 1 December`. Days are UTC, like the service's. */
export function resetInWords(resetAt: string, now: number, locale = "en-GB"): string {
  const at = Date.parse(resetAt);
  const days = Math.max(0, startOfDay(at) - startOfDay(now)) / DAY_MS;
  const distance = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  return `${distance}, on ${dayInWords(resetAt, locale)}`;
}

/** `1 December`, in UTC, formatted for the locale. */
function dayInWords(time: string, locale = "en-GB"): string {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(time));
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** A share of a limit: `66 %`, or `< 1 %` if it is less than one percent. Rounded down, so that `100 %` means all. */
export function percentInWords(part: number, whole: number, locale = "en-GB"): string {
  const share = whole <= 0 ? 0 : part / whole;
  const format = (value: number) =>
    new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(value);
  if (share > 0 && share < 0.01) return `< ${format(0.01)}`;
  // `share * 100` would turn 0.29 into 28.999...
  return format(whole <= 0 ? 0 : Math.floor((100 * part) / whole) / 100);
}

/** The first day of this billing month, or of the last 90 days, for which the service keeps operations. @returns `2026-11-01` */
export function firstDay(span: "month" | "all", resetAt: string, now: number): string {
  if (span === "all") return toDay(now - 90 * DAY_MS);
  const end = new Date(Date.parse(resetAt));
  // A billing month that ends on the 31st begins on the last day of a shorter month.
  const lastOfMonthBefore = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), 0)).getUTCDate();
  const day = Math.min(end.getUTCDate(), lastOfMonthBefore);
  return toDay(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, day));
}

/** `2026-11-21`, UTC. */
function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
