import { expect, it } from "vitest";
import { chartTimes, type Hour } from "../../../src/dashboard/operator/traffic.ts";

const NOW = Date.UTC(2026, 10, 27, 9, 30);

function hour(at: string, requests: number): Hour {
  return { at, requests, clientErrors: 0, serverErrors: 1, slow: 0, uploads: 2, uploadBytes: 10 };
}

const HOURS = [
  hour("2026-11-12T23:00:00.000Z", 100),
  hour("2026-11-14T01:00:00.000Z", 5),
  hour("2026-11-27T00:00:00.000Z", 3),
  hour("2026-11-27T09:00:00.000Z", 4),
];

it("The chart of 48 hours has each hour until now, also those without a request", () => {
  const { times, step, axis, words } = chartTimes(HOURS, "hours", NOW);
  expect(times).toHaveLength(48);
  expect(times[0]?.at).toBe("2026-11-25T10:00:00.000Z");
  expect(times.at(-1)).toMatchObject({ at: "2026-11-27T09:00:00.000Z", requests: 4 });
  expect(times.map(({ requests }) => requests).filter((count) => count > 0)).toEqual([3, 4]);
  expect([step, axis("2026-11-27T09:00:00.000Z"), words("2026-11-27T09:00:00.000Z")]).toEqual([
    "hour",
    "09:00",
    "Fri 27 Nov, 09:00",
  ]);
});

it("The chart of 14 days sums the hours of each day in UTC", () => {
  const { times, step, axis } = chartTimes(HOURS, "days", NOW);
  expect(times).toHaveLength(14);
  expect(times[0]).toMatchObject({ at: "2026-11-14T00:00:00.000Z", requests: 5 });
  expect(times.at(-1)).toMatchObject({ requests: 7, serverErrors: 2, uploads: 4, uploadBytes: 20 });
  expect([step, axis("2026-11-14T00:00:00.000Z")]).toEqual(["day", "14 Nov"]);
});
