import { expect, it } from "vitest";
import { PLANTED_FAULTS } from "../../support/simulation/planted-faults.ts";
import { simulate } from "../../support/simulation/simulate.ts";

/** Faults that need more schedules are planted only by `npm run test:simulation -- --faults`. */
const WITHIN = 1500;
const TIMEOUT_MS = 30 * 60_000;

it("The simulation finds each planted fault within its number of schedules", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { code, output } = await simulate("--faults", "--within", String(WITHIN));
  expect(output.split("\n").filter((line) => line.includes("NOT FOUND"))).toEqual([]);
  expect(output.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(
    PLANTED_FAULTS.filter(({ within }) => within <= WITHIN).length,
  );
  expect(code).toBe(0);
});
