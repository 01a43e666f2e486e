import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import costs from "../../../docs/operating/costs.md?raw";
import worker from "../../../src/worker.ts";
import { BASE_URL, bearer, newAddress, openAccount } from "../../support/api/api.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";
import { costTable } from "../../support/costs/cost-table.ts";
import { CountingEnv } from "../../support/costs/counting-env.ts";
import { type Bill, dollarsPerMillion, emptyBill } from "../../support/costs/prices.ts";

// The platform's bill for requests without an account: docs/operating/costs.md.

/** `KEY_LOOKUPS` in wrangler.toml allows 100 requests in ten seconds, which is 600 a minute. */
const PER_MINUTE = 600;
const MINUTES_PER_MONTH = 60 * 24 * 30;
/** An address writes a row for each 13 requests. */
const REQUESTS = 13 * 4;

const bills = new Map<string, Bill>();

async function count(name: string, vars: Partial<Env>, requests: (address: string) => Request[]): Promise<void> {
  const counting = await CountingEnv.open((await openAccount()).id);
  const address = newAddress();
  await counting.watchAddress(address);
  const bindings = { ...counting.env, ...vars };
  const send = async (request: Request) => {
    const context = createExecutionContext();
    counting.addWorkerRequest();
    await worker.fetch(request, bindings, context);
    await waitOnExecutionContext(context);
  };
  const [first, ...others] = requests(address) as [Request, ...Request[]];
  // The first request sets the alarm that cleans the object.
  await send(first);
  const bill = await counting.bill(async () => {
    for (const request of others) await send(request);
  });
  for (const unit of Object.keys(bill) as (keyof Bill)[]) bill[unit] /= others.length;
  bills.set(name, { ...emptyBill(), ...bill });
}

function repeat(make: () => Record<string, string>, path = "/images") {
  return (address: string) =>
    Array.from(
      { length: REQUESTS + 1 },
      () => new Request(BASE_URL + path, { headers: { ...make(), "CF-Connecting-IP": address } }),
    );
}

const unknownKey = () => bearer(`service_live_${crypto.randomUUID().replaceAll("-", "").padEnd(43, "x")}`);
const counter = (success: boolean) => ({ KEY_LOOKUPS: { limit: async () => ({ success }) } });
const ONE_A_MINUTE = { ADDRESS_RATE_PER_MINUTE: "1" };

beforeAll(async () => {
  await waitForQuietMinute(30_000);
  await count("unknown key, looked up", counter(true), repeat(unknownKey));
  await count("unknown key, over the address's look-ups", counter(false), repeat(unknownKey));
  await count(
    "no key (401)",
    {},
    repeat(() => ({})),
  );
  await count(
    "unknown path (404)",
    {},
    repeat(() => ({}), "/nowhere"),
  );
  await count(
    "made-up address of a share (404)",
    {},
    repeat(() => ({}), `/s/${"0".repeat(74)}`),
  );
  await count(
    "no key, over the address's requests (429)",
    ONE_A_MINUTE,
    repeat(() => ({})),
  );
}, 60_000);

it("The page of costs has the counted figures of requests without an account", () => {
  const table = costTable([...bills]);
  expect(costs.includes(table), table).toBe(true);
});

it.each(["unknown key, over the address's look-ups", "no key, over the address's requests (429)"])(
  "A refused request costs only the Worker's request: %s",
  (name) => {
    expect(bills.get(name)).toEqual({ ...emptyBill(), workerRequests: 1 });
  },
);

it("An address without an account costs at most $20 a month at the rate that its limit allows", () => {
  for (const [name, bill] of bills) {
    expect((dollarsPerMillion(bill) * PER_MINUTE * MINUTES_PER_MONTH) / 1e6, name).toBeLessThanOrEqual(20);
  }
});
