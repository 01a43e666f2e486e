import type { ServiceOverview } from "../../client/types.ts";

export type Hour = ServiceOverview["hours"][number];
export type Span = "hours" | "days";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SHOWN = { hours: 48, days: 14 } as const;

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const LONG_DAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/**
 * The figures of the last 48 hours or 14 days, with a value for each hour or day, also for those without a request.
 * @returns the times, oldest first, and the words for them
 */
export function chartTimes(hours: readonly Hour[], span: Span, now: number) {
  const stepMs = span === "hours" ? HOUR_MS : DAY_MS;
  const last = Math.floor(now / stepMs) * stepMs;
  const byTime = Map.groupBy(hours, ({ at }) => Math.floor(Date.parse(at) / stepMs) * stepMs);
  const times = Array.from({ length: SHOWN[span] }, (_, index) => {
    const at = last - (SHOWN[span] - 1 - index) * stepMs;
    return sumOf(byTime.get(at) ?? [], new Date(at).toISOString());
  });
  const hourOf = (date: string) => `${date.slice(11, 13)}:00`;
  return span === "hours"
    ? {
        times,
        step: "hour",
        axis: (date: string) => hourOf(date),
        words: (date: string) => `${LONG_DAY.format(Date.parse(date))}, ${hourOf(date)}`,
      }
    : {
        times,
        step: "day",
        axis: (date: string) => DAY.format(Date.parse(date)),
        words: (date: string) => LONG_DAY.format(Date.parse(date)),
      };
}

function sumOf(hours: readonly Hour[], at: string): Hour {
  const sum = (name: Exclude<keyof Hour, "at">) => hours.reduce((total, hour) => total + hour[name], 0);
  return {
    at,
    requests: sum("requests"),
    clientErrors: sum("clientErrors"),
    serverErrors: sum("serverErrors"),
    slow: sum("slow"),
    uploads: sum("uploads"),
    uploadBytes: sum("uploadBytes"),
  };
}
