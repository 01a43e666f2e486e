import type { KeyAnalytics } from "../../../client/index.ts";

type Days = KeyAnalytics["days"];

/** The points of a sparkline in a box; empty if there were no requests. */
export function sparkPoints(days: Days, width: number, height: number): string {
  const highest = Math.max(0, ...days.map(({ requests }) => requests));
  if (highest === 0 || days.length < 2) return "";
  const step = width / (days.length - 1);
  return days
    .map(({ requests }, index) => `${round(index * step)},${round(height - (requests / highest) * height)}`)
    .join(" ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The key's recent use, for the dialog that asks before it is revoked. */
export function lossInWords(
  requests30Days: number | undefined,
  lastUsed: string | undefined,
  locale = "en-GB",
): string {
  if (lastUsed === undefined) return "It was never used.";
  if (requests30Days === undefined) return `It was last used ${lastUsed}.`;
  const count = new Intl.NumberFormat(locale).format(requests30Days);
  const word = requests30Days === 1 ? "request" : "requests";
  return `It made ${count} ${word} in the last 30 days, the last one ${lastUsed}.`;
}

/** Successful and failed requests: the parts of a day's bar. */
export function toChartDays(days: Days) {
  return days.map(({ date, requests, errors }) => ({ date, values: [Math.max(0, requests - errors), errors] }));
}
