import { formatPlural } from "../design/format.ts";

/** 75 -> "1 minute"; 7,300 -> "2 hours". */
export function ageWords(seconds: number): string {
  if (seconds < 60) return formatPlural(Math.round(seconds), "second");
  if (seconds < 3600) return formatPlural(Math.round(seconds / 60), "minute");
  if (seconds < 2 * 86_400) return formatPlural(Math.round(seconds / 3600), "hour");
  return formatPlural(Math.round(seconds / 86_400), "day");
}
