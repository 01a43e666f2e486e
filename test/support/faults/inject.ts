import { afterAll, beforeAll, beforeEach, expect, inject, type RunnerTestSuite } from "vitest";
import { EXCLUDED } from "./excluded.ts";
import "./faults.ts";

declare module "vitest" {
  interface ProvidedContext {
    faultSeed: number;
  }
}

/** One call in this number fails. That is often enough to reach every path, and seldom enough that three attempts do not all fail. */
const EVERY = 25;
/** If this number of calls all succeed, no faults were injected. */
const ENOUGH_CALLS = 500;

const FOLDER = "/test/api/";

function excludedOf(filePath: string) {
  return EXCLUDED[filePath.slice(filePath.indexOf(FOLDER) + FOLDER.length)] ?? [];
}

function namesIn(suite: RunnerTestSuite): string[] {
  return suite.tasks.flatMap((task) => (task.type === "suite" ? namesIn(task) : task.fullTestName));
}

/** Every file has its own series, so that it fails in the same way by itself and among others. */
function seedOf(filePath: string): number {
  const name = filePath.slice(filePath.indexOf(FOLDER));
  return Array.from(name).reduce((seed, char) => Math.imul(seed, 31) + char.charCodeAt(0), inject("faultSeed"));
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it which fixtures are wanted.
beforeAll(({}, file) => {
  const names = namesIn(file);
  for (const [excluded] of excludedOf(file.file.filepath)) {
    if (!names.some((name) => name.includes(excluded))) throw new Error(`No test is named "${excluded}" any more`);
  }
  faults.seed(seedOf(file.file.filepath));
  faults.every = EVERY;
});

beforeEach(({ task, skip }) => {
  const found = excludedOf(task.file.filepath).find(([name]) => task.fullTestName.includes(name));
  if (found !== undefined) skip(found[1]);
});

afterAll(() => {
  faults.every = 0;
  console.log(`FAULT_SEED=${inject("faultSeed")}, faults: ${faults.injected} of ${faults.drawn} calls`);
  if (faults.drawn > ENOUGH_CALLS) expect(faults.injected).toBeGreaterThan(0);
});
