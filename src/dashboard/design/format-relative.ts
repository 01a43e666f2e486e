const RELATIVE = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "2 minutes ago", "yesterday", "in 12 days". @param now milliseconds since 1970 */
export function formatRelative(date: string | number | Date, now = Date.now()): string {
  const ms = new Date(date).getTime() - now;
  const [unit, unitMs] = RELATIVE.find(([, each]) => Math.abs(ms) >= each) ?? (["second", 1000] as const);
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return unit === "second" ? "just now" : format.format(Math.round(ms / unitMs), unit);
}
