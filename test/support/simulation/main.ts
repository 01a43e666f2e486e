import { parseArgs } from "node:util";
import { registerSimulationHooks } from "./hooks.ts";
import type { PlantedFault } from "./planted-faults.ts";
import type { runSchedule, ScheduleOptions, ScheduleResult } from "./run-schedule.ts";

/**
 * `npm run test:simulation -- [--schedules N] [--seed N] [--requests N] [--trace [--after N]] [--faults [--within N]] [--fault NAME]`: runs
 * schedules from a seed on, and shows the first failing schedule in its smallest form. `--trace` shows a single schedule step by step;
 * `--faults` looks for the planted faults (those that are found within N schedules); `--fault` runs the product with one planted fault.
 */

type RunSchedule = typeof runSchedule;

/** The most runs for making a failing schedule smaller. */
const MAX_SHRINKS = 150;
const REPORT_EVERY_MS = 30_000;
/** One in this many schedules is run a second time, and must give the same result. */
const REPEATED_EVERY = 50;

const { values } = parseArgs({
  options: {
    schedules: { type: "string", default: "1000" },
    seed: { type: "string", default: process.env.SEED ?? "1" },
    requests: { type: "string" },
    trace: { type: "boolean", default: false },
    faults: { type: "boolean", default: false },
    fault: { type: "string" },
    within: { type: "string", default: "Infinity" },
    after: { type: "string", default: "0" },
  },
});
const first = Number(values.seed);

registerSimulationHooks();
if (values.faults) process.exitCode = (await lookForFaults(first)) ? 0 : 1;
else if (values.trace) process.exitCode = (await showOne(await load(values.fault), first)) ? 0 : 1;
else process.exitCode = (await runMany(await load(values.fault), first, Number(values.schedules))) ? 0 : 1;

function requested(): { readonly requests?: number } {
  return values.requests === undefined ? {} : { requests: Number(values.requests) };
}

/** The simulation over the product as it is, or over a copy that has a fault. */
async function load(fault?: string): Promise<RunSchedule> {
  const module = await import(fault === undefined ? "./run-schedule.ts" : `./run-schedule.ts?fault=${fault}`);
  return module.runSchedule;
}

/** @returns whether nothing was wrong */
async function runMany(run: RunSchedule, seed: number, schedules: number): Promise<boolean> {
  const startedAt = performance.now();
  const totals = { schedules: 0, steps: 0, requests: 0, faults: 0 };
  let reportedAt = startedAt;
  for (let next = seed; next < seed + schedules; next++) {
    const options = { seed: next, ...requested() };
    const result = await run(options);
    totals.schedules += 1;
    if (totals.schedules % REPEATED_EVERY === 0) requireSame(next, result, await run(options));
    totals.steps += result.steps;
    totals.requests += result.requests;
    totals.faults += result.faults.length;
    if (result.violation !== undefined) {
      console.log(`Seed ${next} fails: ${result.violation}\n`);
      await show(run, await shrink(run, options, result));
      console.log(`\nThe whole of it: npm run test:simulation -- --seed ${next} --trace`);
      return false;
    }
    if (performance.now() - reportedAt < REPORT_EVERY_MS) continue;
    reportedAt = performance.now();
    console.error(`${totals.schedules} schedules (up to seed ${next})`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${describe(totals)}: nothing is wrong (seeds ${seed} to ${seed + schedules - 1}, ${seconds.toFixed(0)} s)`,
  );
  return true;
}

function describe({
  schedules,
  steps,
  requests,
  faults,
}: Record<"schedules" | "steps" | "requests" | "faults", number>) {
  return `${schedules} schedules, ${requests} requests, ${steps} steps, ${faults} faults`;
}

/** @throws Error where the same seed gave two schedules */
function requireSame(seed: number, one: ScheduleResult, other: ScheduleResult): void {
  if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(`Seed ${seed} gave two schedules`);
}

/** Leaves out faults and last requests of a failing schedule as long as it still fails. */
async function shrink(run: RunSchedule, options: ScheduleOptions, failed: ScheduleResult): Promise<ScheduleOptions> {
  let best: ScheduleOptions = options;
  let left = MAX_SHRINKS;
  let faults = failed.faults;
  const fails = async (tried: ScheduleOptions): Promise<boolean> => {
    if (left-- <= 0) return false;
    const result = await run(tried);
    if (result.violation === undefined) return false;
    best = tried;
    faults = result.faults;
    return true;
  };
  for (let requests = failed.requests; requests > 1; ) {
    if (!(await fails({ ...best, requests: requests - 1 }))) break;
    requests -= 1;
  }
  for (let size = Math.ceil(faults.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < faults.length && left > 0; ) {
      const chunk = faults.slice(from, from + size);
      const suppressed = new Set([...(best.suppressed ?? []), ...chunk]);
      if (!(await fails({ ...best, suppressed }))) from += size;
    }
  }
  return best;
}

/** Prints one schedule. Other schedules may run before it, which must make no difference. */
async function showOne(run: RunSchedule, seed: number): Promise<boolean> {
  for (let other = seed + 1; other <= seed + Number(values.after); other++) await run({ seed: other });
  return show(run, { seed, ...requested() });
}

/** Prints a schedule step by step. @returns whether nothing is wrong in it */
async function show(run: RunSchedule, options: ScheduleOptions): Promise<boolean> {
  const lines: string[] = [];
  const { violation } = await run({ ...options, trace: (line) => lines.push(line) });
  console.log(lines.join("\n"));
  return violation === undefined;
}

/** Prints within how many schedules each planted fault is found. @returns whether each is found in time */
async function lookForFaults(seed: number): Promise<boolean> {
  const { PLANTED_FAULTS } = await import("./planted-faults.ts");
  const chosen = PLANTED_FAULTS.filter(
    ({ name, within }) => within <= Number(values.within) && (values.fault === undefined || name === values.fault),
  );
  let areFound = true;
  for (const planted of chosen) areFound = (await look(planted, seed)) && areFound;
  return areFound;
}

async function look({ name, fault, within }: PlantedFault, seed: number): Promise<boolean> {
  const run = await load(name);
  for (let tried = 1; tried <= within; tried++) {
    const { violation } = await run({ seed: seed + tried - 1 });
    if (violation === undefined) continue;
    // The fault itself is broken: its text names code that the file no longer has.
    if (violation.startsWith("ReferenceError")) throw new Error(violation);
    const [said = ""] = violation.split("\n");
    console.log(`| ${fault} | ${tried} (of ${within}) | ${said} |`);
    return true;
  }
  console.log(`| ${fault} | NOT FOUND (${within}) | |`);
  return false;
}
