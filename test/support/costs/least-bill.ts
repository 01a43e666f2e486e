import type { CountingEnv } from "./counting-env.ts";
import { type Bill, emptyBill } from "./prices.ts";

/** The least cost of several runs, as a request sometimes also stores the minute's count or the last use of its key. */
export async function leastBill(counting: CountingEnv, use: () => Promise<unknown>, times: number): Promise<Bill> {
  const measured: Bill[] = [];
  for (let time = 0; time < times; time++) measured.push(await counting.bill(use));
  const least = emptyBill();
  for (const name of Object.keys(least) as (keyof Bill)[]) {
    least[name] = Math.min(...measured.map((bill) => bill[name]));
  }
  return least;
}
