import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PLANTED_FAULTS } from "../../support/simulation/planted-faults.ts";
import { simulate } from "../../support/simulation/simulate.ts";

const TIMEOUT_MS = 600_000;

// The seed chooses every step of a schedule: which call is answered next, which call fails or loses its answer, which isolate dies, which
// object is reset, when an alarm rings. Afterwards no answered upload is lost, no byte is leaked, figures are exact, and no two answers
// contradict each other.

it("Every answer stays true under failures in any order: 400 schedules", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { code, output } = await simulate("--schedules", "400", "--seed", "1");
  expect(output).toContain("400 schedules");
  expect(output).toContain("nothing is wrong");
  expect(code).toBe(0);
});

it("The same seed gives the same schedule, step by step, also after other schedules", {
  timeout: TIMEOUT_MS,
}, async () => {
  const [alone, behindOthers] = [
    await simulate("--seed", "43", "--trace"),
    await simulate("--seed", "43", "--trace", "--after", "10"),
  ];
  expect(alone.code).toBe(0);
  expect(alone.output.split("\n").length).toBeGreaterThan(100);
  expect(behindOthers.output).toBe(alone.output);
});

it("A failing schedule is shown in its smallest form, numbered, with the command that repeats it", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { code, output } = await simulate("--fault", "kept-object", "--schedules", "50");
  expect(code).toBe(1);
  expect(output).toMatch(/^Seed \d+ fails: .*uploads\//);
  expect(output).toMatch(/^ {3}1 {2}deploy#1 -> D1 /m);
  // The smallest schedule may show the object that was kept in another way.
  expect(output).toMatch(/VIOLATION: .*uploads\//);
  expect(output).toMatch(/npm run test:simulation -- --seed \d+ --trace/);
});

it.each(PLANTED_FAULTS)("The fault $name can be planted: its text is in its file once", ({ changes }) => {
  for (const [file, replaced] of Object.entries(changes)) {
    const text = readFileSync(file, "utf8");
    for (const [from] of replaced) expect(text.split(from), `${file}: ${from}`).toHaveLength(2);
  }
});
