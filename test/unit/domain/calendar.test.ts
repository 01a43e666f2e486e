import { describe, expect, it } from "vitest";
import { billingMonth, minuteWindow, resetDay, secondsUntil } from "../../../src/domain/calendar.ts";

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString().slice(0, 10);

describe("Billing month", () => {
  it.each([
    ["2026-11-21T10:00Z", 1, "2026-11-01", "2026-12-01"],
    ["2026-11-01T00:00Z", 1, "2026-11-01", "2026-12-01"],
    ["2026-10-31T23:59:59.999Z", 1, "2026-10-01", "2026-11-01"],
    ["2026-11-21T10:00Z", 15, "2026-11-15", "2026-12-15"],
    ["2026-11-14T23:59Z", 15, "2026-10-15", "2026-11-15"],
    ["2026-12-20T00:00Z", 15, "2026-12-15", "2027-01-15"],
    ["2027-01-02T00:00Z", 15, "2026-12-15", "2027-01-15"],
    ["2026-04-30T00:00Z", 31, "2026-04-30", "2026-05-31"],
    ["2026-04-29T23:00Z", 31, "2026-03-31", "2026-04-30"],
    ["2026-03-01T00:00Z", 31, "2026-02-28", "2026-03-31"],
    ["2028-02-29T00:00Z", 30, "2028-02-29", "2028-03-30"],
    ["2027-02-28T00:00Z", 29, "2027-02-28", "2027-03-29"],
  ])("The billing month of %s with day %i begins %s and ends %s", (now, day, startsAt, endsAt) => {
    const period = billingMonth(at(now), day);
    expect([iso(period.startsAt), iso(period.endsAt)]).toEqual([startsAt, endsAt]);
  });

  it("Billing months follow each other without a gap, for every day, for four years", () => {
    for (let day = 1; day <= 31; day++) {
      let period = billingMonth(at("2026-01-01T00:00Z"), day);
      for (let month = 0; month < 48; month++) {
        const next = billingMonth(period.endsAt, day);
        expect(next.startsAt).toBe(period.endsAt);
        expect(billingMonth(period.endsAt - 1, day)).toEqual(period);
        period = next;
      }
    }
  });
});

it("Free accounts reset on the 1st, paid ones on the day on which the paid tier began", () => {
  expect(resetDay("free", at("2026-05-17T00:00Z"))).toBe(1);
  expect(resetDay("pro", at("2026-05-17T23:59Z"))).toBe(17);
  expect(resetDay("pro", null)).toBe(1);
});

it("A minute's window begins on the minute", () => {
  expect(minuteWindow(at("2026-05-17T10:20:59.999Z"))).toEqual({
    startsAt: at("2026-05-17T10:20:00Z"),
    endsAt: at("2026-05-17T10:21:00Z"),
  });
});

it("Seconds to wait are whole and at least one", () => {
  expect(secondsUntil(1000, 1000)).toBe(1);
  expect(secondsUntil(2001, 1000)).toBe(2);
});
