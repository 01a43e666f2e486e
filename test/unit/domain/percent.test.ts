import { expect, it } from "vitest";
import { toPercent } from "../../../src/domain/percent.ts";
import { BYTES_PER_GB, TIERS } from "../../../src/domain/tiers.ts";

it.each([
  [0, 100, 0],
  [4_999_999, 5_000_000, 99.99],
  [4_999_999.9, 5_000_000, 99.99],
  [5_000_000, 5_000_000, 100],
  [TIERS.business.storageBytes - 1, TIERS.business.storageBytes, 99.99],
  [3 * BYTES_PER_GB, BYTES_PER_GB, 300],
  [2.3, 10_000, 0.02],
])("%d of %d is %d percent, rounded down", (used, limit, percent) => {
  expect(toPercent(used, limit)).toBe(percent);
});

it("Percentages keep every whole hundredth", () => {
  for (let hundredths = 0; hundredths <= 10_000; hundredths++)
    expect(toPercent(hundredths / 10, 1000)).toBe(hundredths / 100);
});
