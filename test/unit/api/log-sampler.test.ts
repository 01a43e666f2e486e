import { expect, it } from "vitest";
import { LogSampler } from "../../../src/api/middleware/log-sampler.ts";

const HOUR_MS = 3_600_000;

it("The first refusals of ten seconds are logged, then one of a hundred", () => {
  const sampler = new LogSampler({ refusal: 20, file: 0 });
  let [lines, counted] = [0, 0];
  for (let request = 0; request < 100_000; request++) {
    const kept = sampler.take("refusal", 5000);
    lines += kept > 0 ? 1 : 0;
    counted += kept;
  }
  expect(lines).toBeGreaterThan(20 + 800);
  expect(lines).toBeLessThan(20 + 1200);
  expect(counted).toBeGreaterThan(80_000);
  expect(counted).toBeLessThan(120_000);
  expect(sampler.take("refusal", HOUR_MS)).toBe(1);
});

it("Views are sampled from the first one on, and other requests are always logged", () => {
  const sampler = new LogSampler({ refusal: 20, file: 0 });
  const lines = Array.from({ length: 10_000 }, (_, at) => sampler.take("file", at)).filter(Boolean).length;
  expect(lines).toBeLessThan(200);
  expect(Array.from({ length: 500 }, (_, at) => sampler.take(undefined, at)).every((kept) => kept === 1)).toBe(true);
});
