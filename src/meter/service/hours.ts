import { HOUR_MS } from "../../domain/calendar.ts";

/** The service's counts of one hour. */
export interface HourFigures {
  /** The hour's start, in milliseconds. */
  readonly at: number;
  readonly requests: number;
  /** Requests answered 4xx. */
  readonly clientErrors: number;
  /** Requests answered 5xx. */
  readonly serverErrors: number;
  /** Requests whose answer took more than a second. */
  readonly slow: number;
  readonly uploads: number;
  readonly uploadBytes: number;
}

/** Two weeks. */
const KEPT_HOURS = 14 * 24;
/** Duration buckets of at most a second, by their label `le`. */
const FAST = /le="(0\.025|0\.1|0\.25|1)"/;

type Counts = Omit<HourFigures, "at">;

/**
 * Adds counts to their hour.
 * @param hours oldest first
 * @param added counts by series, as isolates send them
 * @returns the hours of the last two weeks, oldest first
 */
export function addToHours(
  hours: readonly HourFigures[],
  added: ReadonlyMap<string, number>,
  now: number,
): readonly HourFigures[] {
  const at = Math.floor(now / HOUR_MS) * HOUR_MS;
  const counts = toCounts(added);
  const last = hours.at(-1);
  const sum = last?.at === at ? addCounts(last, counts) : counts;
  const before = last?.at === at ? hours.slice(0, -1) : hours;
  return [...before.filter((hour) => hour.at > at - KEPT_HOURS * HOUR_MS), { at, ...sum }];
}

function toCounts(added: ReadonlyMap<string, number>): Counts {
  const sumOf = (test: (series: string) => boolean) =>
    Array.from(added).reduce((sum, [series, amount]) => (test(series) ? sum + amount : sum), 0);
  const requests = (status: string) =>
    sumOf((series) => series.startsWith("media_http_requests_total{") && series.includes(`status="${status}`));
  return {
    requests: requests(""),
    clientErrors: requests("4"),
    serverErrors: requests("5"),
    slow: sumOf((series) => series.startsWith("media_http_request_duration_seconds_bucket{") && !FAST.test(series)),
    uploads: sumOf((series) => series.startsWith("media_uploads_total{")),
    uploadBytes: sumOf((series) => series.startsWith("media_upload_bytes_total{")),
  };
}

function addCounts(one: Counts, other: Counts): Counts {
  return {
    requests: one.requests + other.requests,
    clientErrors: one.clientErrors + other.clientErrors,
    serverErrors: one.serverErrors + other.serverErrors,
    slow: one.slow + other.slow,
    uploads: one.uploads + other.uploads,
    uploadBytes: one.uploadBytes + other.uploadBytes,
  };
}
