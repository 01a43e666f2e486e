import { afterAll, beforeAll, expect } from "vitest";

/** One call in so many fails. */
const EVERY = 25;

beforeAll(() => {
  faults.every = EVERY;
});

afterAll(() => {
  faults.every = 0;
  console.log("Faults:", faults.injected);
  expect(faults.injected).toBeGreaterThan(0);
});
