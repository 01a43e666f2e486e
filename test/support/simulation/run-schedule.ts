import { forgetCredentials } from "../../../src/services/auth/authenticate.ts";
import { forgetBlockList } from "../../../src/services/uploads/known-bytes.ts";
import { seededRandom } from "../jpeg/seeded-random.ts";
import { checkStores } from "./check-stores.ts";
import { Clients, drawHabits } from "./clients.ts";
import { Violation } from "./history.ts";
import { Scheduler } from "./scheduler.ts";
import { findTheme } from "./themes.ts";
import { takeOverGlobals } from "./virtual-time.ts";
import { drawWeather } from "./weather.ts";
import { World } from "./world.ts";

/** A moment in the first tenth of a month, so that no schedule reaches the month's end. */
const STARTS_AT = Date.UTC(2026, 9, 10, 12);
/** One schedule in this many uploads with `dedupe`, and sends some files again. */
const DEDUPED_EVERY = 5;
const MAX_STEPS = 20_000;
/** One schedule in this many has shares. */
const SHARED_EVERY = 7;
/** One installation in this many has a moderation hook. */
const MODERATED_EVERY = 8;
const drained = setImmediate;

export interface ScheduleOptions {
  readonly seed: number;
  /** Faults that are left out, by the number of their draw: a reduced schedule needs fewer. */
  readonly suppressed?: ReadonlySet<number>;
  /** Number of the clients' requests; the seed chooses it by default. */
  readonly requests?: number;
  readonly trace?: (line: string) => void;
}

export interface ScheduleResult {
  /** The violated rule; undefined if there is none. */
  readonly violation: string | undefined;
  readonly steps: number;
  /** The time of its end, by its own clock. */
  readonly endedAt: number;
  /** Faults that happened. */
  readonly faults: readonly number[];
  readonly requests: number;
}

/** Runs one schedule to its end, and judges it. The same options give the same schedule, step by step. */
export async function runSchedule({
  seed,
  suppressed = new Set(),
  requests,
  trace,
}: ScheduleOptions): Promise<ScheduleResult> {
  const random = seededRandom(seed);
  const theme = findTheme(seed);
  const weather = { ...drawWeather(random), ...theme?.weather };
  const drawn = drawHabits(random, seed % SHARED_EVERY === SHARED_EVERY - 1);
  const habits = theme?.habits ?? drawn;
  const [accounts, clients] = [random() < 0.7 ? 1 : 2, 1 + Math.floor(random() * 4)];
  const limit = requests ?? 4 + Math.floor(random() * 22);
  const scheduler = new Scheduler(seed, { weather, startsAt: STARTS_AT, suppressed });
  scheduler.trace = trace;
  trace?.(`seed ${seed}: ${JSON.stringify({ weather, accounts, clients, requests: limit })}`);
  const restore = takeOverGlobals(scheduler, seededRandom(seed ^ 0x165667b1), seededRandom(seed ^ 0x9e3779b9));
  const result = (violation: string | undefined) => ({
    violation,
    steps: scheduler.count,
    endedAt: scheduler.now,
    faults: scheduler.happened,
    requests: limit,
  });
  // The memory of an isolate would outlive the schedule.
  forgetBlockList();
  forgetCredentials();
  try {
    const world = new World(scheduler, seed % MODERATED_EVERY === 0);
    const all = new Clients(world, habits, {
      limit,
      dedupes: theme?.dedupes ?? seed % DEDUPED_EVERY === 0,
      hasSlowBodies: theme?.hasSlowBodies ?? false,
    });
    await settle(scheduler, world.prepare());
    for (let opened = 0; opened < accounts; opened++)
      await settle(scheduler, all.open((["free", "starter", "pro"] as const)[Math.floor(random() * 3)] ?? "pro"));
    all.start(clients);
    scheduler.isCalm = false;
    // Failures continue after the clients have finished, because alarms and queues must withstand them, too.
    let left = Math.floor(random() * 150);
    while (scheduler.failure === undefined) {
      if (all.areDone && left-- <= 0) scheduler.isCalm = true;
      if (world.disturb()) await nextTurn();
      if (!scheduler.step()) break;
      await nextTurn();
      if (scheduler.count > MAX_STEPS) throw new Violation(`There is no rest after ${MAX_STEPS} steps`);
    }
    if (scheduler.failure !== undefined) throw scheduler.failure;
    for (const host of world.hosts.values()) host.storage.flush();
    checkStores(world, all.accounts);
    return result(undefined);
  } catch (error) {
    const message = error instanceof Violation ? error.message : String((error as Error).stack);
    trace?.(`      VIOLATION: ${message}`);
    return result(message);
  } finally {
    scheduler.isClosed = true;
    scheduler.remove(() => true);
    restore();
  }
}

/** Takes steps until an event has happened. */
async function settle(scheduler: Scheduler, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = work.then(
    () => {
      isOver = true;
    },
    (error: unknown) => {
      isOver = true;
      throw error;
    },
  );
  over.catch(() => undefined);
  await nextTurn();
  while (!isOver && scheduler.step()) await nextTurn();
  await over;
}

/** By then, all promises that can settle have settled. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => drained(resolve));
}
