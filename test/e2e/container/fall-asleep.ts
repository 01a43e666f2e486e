import { AWAKE_SECONDS } from "../../../src/domain/allowance.ts";
import { until } from "./until.ts";

/** `sleepAfter` of the Container, and the time allowed for an alarm and for the server to end. */
const SLEEP_AFTER_SECONDS = AWAKE_SECONDS;
const LATEST_SECONDS = SLEEP_AFTER_SECONDS + 60;
/** The last request may have ended before its result was seen. */
const EARLIEST_SECONDS = SLEEP_AFTER_SECONDS - 10;

/**
 * Waits until no Container runs any more.
 * @param countRunning returns the number that run
 * @throws Error if it sleeps too early, or not at all
 */
export async function fallAsleep(countRunning: () => Promise<number>): Promise<void> {
  if ((await countRunning()) === 0) throw new Error("no Container runs after a job");
  const started = performance.now();
  const isAsleep = async () => (await countRunning()) === 0 || undefined;
  await until("the Container's sleep", LATEST_SECONDS * 1000, isAsleep);
  const seconds = (performance.now() - started) / 1000;
  if (seconds < EARLIEST_SECONDS) throw new Error(`the Container ended ${seconds.toFixed(1)} s after its last job`);
  console.log(`the Container sleeps ${seconds.toFixed(1)} s after its last job`);
}
