import { newId } from "../../src/domain/ids.ts";
import { type Bill, dollarsPerMillion } from "../support/costs/prices.ts";
import { startBare } from "../support/stack/miniflare.ts";
import { Client } from "./support/client.ts";
import { reportTarget, type Target } from "./support/report.ts";
import { median } from "./support/rounds.ts";
import type { Load, Measured, Way } from "./views/worker.ts";

const ROUNDS = 3;
/** Less than two minutes of the clock, including the time before and after it. */
const SECONDS = 55;
/** 400 views a second are a billion a month. Loads of one group are measured at once. */
const GROUPS: readonly (readonly (readonly [viewsPerSecond: number, accounts: number])[])[] = [
  [
    [1, 1],
    [10, 10],
    [400, 1],
  ],
  [[400, 1000]],
];
const WAYS: readonly Way[] = ["queue", "journal"];

/** The billed cost of counting a million views, by journals and by one queue message each. */
export async function benchViews(): Promise<Target[]> {
  console.log(`views: dollars for counting a million, ${SECONDS} s of views a round, ${ROUNDS} rounds`);
  await using stack = await startBare("../views/worker.ts", {
    durableObjects: {
      VIEW_JOURNAL: { className: "ViewJournal", useSQLite: true },
      ACCOUNT_METER: { className: "AccountMeter", useSQLite: true },
    },
    bindings: { VIEW_FLUSH_SECONDS: "60", INTENT_TIMEOUT_SECONDS: "120" },
  });
  const client = new Client(stack.url);
  const dollars = new Map<string, number[]>();
  const bills = new Map<string, Bill>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const group of GROUPS) {
      const loads = group.flatMap(([viewsPerSecond, accounts]) =>
        WAYS.map((way) => ({ way, viewsPerSecond, accounts })),
      );
      // Both ways run at once, so that other work of the machine affects both.
      await Promise.all(
        loads.map(async ({ way, viewsPerSecond, accounts }) => {
          const title = titleOf(way, viewsPerSecond, accounts);
          const ids = Array.from({ length: accounts }, () => newId(Date.now()));
          const load: Load = { name: `${title} ${round}`, way, viewsPerSecond, accounts: ids, seconds: SECONDS };
          const bill = await measure(client, load);
          bills.set(title, bill);
          dollars.set(title, [...(dollars.get(title) ?? []), dollarsPerMillion(bill)]);
        }),
      );
    }
  }
  client.close();
  for (const [title, bill] of bills) console.log(`  ${title.padEnd(46)}  ${partsOf(bill)}`);
  return Array.from(dollars, ([name, values]) =>
    reportTarget({
      name,
      value: median(values),
      unit: "$",
      // Below this rate it is a few dollars a month, most of it within the amounts that the plan includes.
      atMost: name.startsWith("journal, 400") ? 0.4 : 5,
    }),
  );
}

function titleOf(way: Way, viewsPerSecond: number, accounts: number): string {
  return `${way}, ${viewsPerSecond} a second, ${accounts} account${accounts === 1 ? "" : "s"}`;
}

/** @returns the cost of counting one view, without the request that makes it */
async function measure(client: Client, load: Load): Promise<Bill> {
  const { body } = await client.call(200, "/", { method: "POST", body: JSON.stringify(load) });
  const { views, counted, bill } = JSON.parse(body.toString()) as Measured;
  if (counted !== views) throw new Error(`${counted} views of ${views} were counted: ${load.name}`);
  const names = Object.keys(bill) as (keyof Bill)[];
  return Object.fromEntries(names.map((name) => [name, bill[name] / views])) as unknown as Bill;
}

function partsOf({ workerRequests, objectCalls, objectSeconds, objectRowsWritten, queueOperations }: Bill): string {
  const parts = { workerRequests, objectCalls, objectSeconds, objectRowsWritten, queueOperations };
  return Object.entries(parts)
    .map(([name, value]) => `${name} ${value.toFixed(3)}`)
    .join("  ");
}
