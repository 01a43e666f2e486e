import { expect, it } from "vitest";
import { addToHours, type HourFigures } from "../../../src/meter/service/hours.ts";

const HOUR_MS = 3_600_000;
/** Two weeks. */
const KEPT_HOURS = 14 * 24;
const START = Date.UTC(2026, 10, 27, 9);
const NOTHING = { requests: 0, clientErrors: 0, serverErrors: 0, slow: 0, uploads: 0, uploadBytes: 0 };

function request(status: number, le: string): [string, number][] {
  const labels = 'method="GET",route="/images"';
  return [
    [`media_http_requests_total{${labels},status="${status}"}`, 1],
    [`media_http_request_duration_seconds_bucket{${labels},le="${le}"}`, 1],
    [`media_http_request_duration_seconds_sum{${labels}}`, 3.5],
  ];
}

it("Counts are added to the hour in which they arrive, by the class of their status and by their time", () => {
  const one = new Map([
    ...request(200, "0.1"),
    ...request(404, "1"),
    ...request(503, "2.5"),
    ["media_thumbnails_total", 4],
  ]);
  const first = addToHours([], one as Map<string, number>, START + 5);
  const figures = { requests: 3, clientErrors: 1, serverErrors: 1, slow: 1, uploads: 0, uploadBytes: 0 };
  expect(first).toEqual([{ at: START, ...figures }]);
  const uploads = new Map([
    ['media_uploads_total{type="image"}', 2],
    ['media_uploads_total{type="video"}', 1],
    ['media_upload_bytes_total{type="image"}', 5000],
    ...request(200, "+Inf"),
  ]);
  const second = addToHours(first, uploads, START + HOUR_MS - 1);
  expect(second).toEqual([{ at: START, ...figures, requests: 4, slow: 2, uploads: 3, uploadBytes: 5000 }]);
  const third = addToHours(second, new Map(request(200, "0.025")), START + HOUR_MS);
  expect(third.at(-1)).toEqual({ at: START + HOUR_MS, ...NOTHING, requests: 1 });
  expect(third).toHaveLength(2);
});

it("Two weeks of hours are kept, and hours without a request take no place", () => {
  let hours: readonly HourFigures[] = [];
  for (let hour = 0; hour < KEPT_HOURS + 50; hour++) hours = addToHours(hours, new Map(), START + hour * HOUR_MS);
  expect(hours).toHaveLength(KEPT_HOURS);
  expect(hours[0]?.at).toBe(START + 50 * HOUR_MS);
  expect(addToHours(hours, new Map(), START + 10 * KEPT_HOURS * HOUR_MS)).toHaveLength(1);
});
