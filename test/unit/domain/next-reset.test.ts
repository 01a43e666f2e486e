import { describe, expect, it } from "vitest";
import { billingMonth, nextResetAt } from "../../../src/domain/calendar.ts";

const at = (text: string) => Date.parse(`${text}T00:00Z`);
const date = (time: number) => new Date(time).toISOString().slice(0, 10);

describe("Next reset", () => {
  it.each([
    // Free, and the tier that follows it.
    ["2026-11-01", 1, "2026-12-01"],
    ["2026-11-01", 21, "2026-12-21"],
    ["2026-01-01", 31, "2026-02-28"],
    ["2028-01-01", 31, "2028-02-29"],
    ["2026-01-01", 30, "2026-02-28"],
    // A paid tier, and Free after it.
    ["2026-11-20", 20, "2026-12-20"],
    ["2026-11-20", 1, "2027-01-01"],
    ["2026-02-28", 1, "2026-04-01"],
    ["2026-02-28", 31, "2026-03-31"],
    ["2026-04-30", 31, "2026-05-31"],
    ["2028-02-29", 29, "2028-03-29"],
    ["2027-02-28", 29, "2027-03-29"],
    ["2026-12-31", 31, "2027-01-31"],
  ])("The next reset of a count that began on %s, by day %i, is on %s", (startedAt, day, expected) => {
    expect(date(nextResetAt(at(startedAt), day))).toBe(expected);
  });

  it("The next reset is the end of the billing month if the day stays the same, for four years", () => {
    for (let day = 1; day <= 31; day++) {
      let period = billingMonth(at("2026-01-01"), day);
      for (let month = 0; month < 48; month++) {
        expect(nextResetAt(period.startsAt, day)).toBe(period.endsAt);
        period = billingMonth(period.endsAt, day);
      }
    }
  });

  it("The next reset is one to two months away for any day", () => {
    for (let startedAt = at("2026-01-01"); startedAt < at("2028-04-01"); startedAt += 86_400_000) {
      const dayOfMonth = new Date(startedAt).getUTCDate();
      const month = nextResetAt(startedAt, dayOfMonth);
      for (let day = 1; day <= 31; day++) {
        const resetAt = nextResetAt(startedAt, day);
        expect(resetAt).toBeGreaterThanOrEqual(month);
        expect(resetAt - startedAt).toBeLessThan(62 * 86_400_000);
      }
    }
  });
});
