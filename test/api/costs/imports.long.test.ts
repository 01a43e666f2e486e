import { createExecutionContext, runDurableObjectAlarm, waitOnExecutionContext } from "cloudflare:test";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import costs from "../../../docs/operating/costs.md?raw";
import {
  ALLOWANCE_MICRODOLLARS,
  CHANGE_MICRODOLLARS,
  HOST_MICRODOLLARS,
  PART_MICRODOLLARS,
} from "../../../src/domain/allowance.ts";
import { MAX_ITEM_ATTEMPTS } from "../../../src/domain/imports.ts";
import { PART_BYTES } from "../../../src/domain/parts.ts";
import worker from "../../../src/worker.ts";
import { Internet } from "../../support/alerts/internet.ts";
import { meterOf, setStorageBytes } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, openAccount } from "../../support/api/api.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";
import { type Abuse, abuseTable, dollarsPerMonth, MOST_DOLLARS } from "../../support/costs/abuse-table.ts";
import { costTable } from "../../support/costs/cost-table.ts";
import { CountingEnv } from "../../support/costs/counting-env.ts";
import { type Bill, dollarsPerMillion, emptyBill } from "../../support/costs/prices.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { file } from "../../support/uploads/import-sources.ts";
import { deliverImport, ImportQueue, takeImports } from "../../support/uploads/imports.ts";

// The platform's bill for imports, including queue, alarms and turns of hosts: docs/operating/costs.md.

const TIMES = 3;
const ITEMS = 100;
const STORAGE_BYTES = 1024 ** 3;
/** The parts of a body without end that fit into the account. */
const PARTS = 4;
const PUBLIC = ["93.184.215.14"];
const JSON_TYPE = { "Content-Type": "application/json" };

/** Longer than the delay after any attempt. */
const LATER_MS = 20 * 60_000;

const bills = new Map<string, Bill>();
const abuses: Abuse[] = [];
let internet: Internet;
/** The time that the test has skipped. */
let skippedMs = 0;

/** An account whose calls, rows and messages are counted. */
async function openCounted(tier: "free" | "pro", storageBytes = 0) {
  const account = await openAccount(tier);
  await setStorageBytes(account.id, storageBytes);
  const counting = await CountingEnv.open(account.id);
  const queue = counting.countQueue(new ImportQueue());
  await takeImports(account.id, queue);
  const importing = { ...account, queue };
  const send = async (method: string, path: string, body?: object) => {
    const ctx = createExecutionContext();
    counting.addWorkerRequest();
    const init = { method, headers: { ...JSON_TYPE, ...bearer(account.token) } };
    const request = new Request(BASE_URL + path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    const response = await worker.fetch(request, counting.env, ctx);
    const answer = await response.json<{ _id: string; endedAt: string | null }>();
    await waitOnExecutionContext(ctx);
    expect(response.ok, path).toBe(true);
    return answer;
  };
  /** One consumer works until nothing is due. */
  const deliver = async () => {
    counting.addWorkerRequest();
    expect(await deliverImport(importing, { ...counting.env, IMPORTS: queue })).toBe("acked");
  };
  const ring = async () => {
    counting.addAlarm();
    await runDurableObjectAlarm(meterOf(account.id));
    return queue.sent.splice(0).length;
  };
  return { account, counting, send, deliver, ring };
}

type Counted = Awaited<ReturnType<typeof openCounted>>;

/** Imports the URLs, and makes every attempt that follows. */
async function importAll(counted: Counted, urls: readonly string[]): Promise<void> {
  const { _id } = await counted.send("POST", "/images/import", { items: urls.map((url) => ({ url })) });
  await runAll(counted, _id);
}

async function runAll({ account, deliver, ring }: Counted, id: string): Promise<void> {
  for (let round = 0; round < 10; round++) {
    for (let messages = await ring(); messages > 0; messages--) await deliver();
    if ((await meterOf(account.id).findImport(id, { limit: 1 }))?.found.endedAt !== null) return;
    skippedMs += LATER_MS;
  }
  throw new Error("The import does not end");
}

function divide(bill: Bill, count: number): Bill {
  return Object.fromEntries(Object.entries(bill).map(([name, figure]) => [name, figure / count])) as unknown as Bill;
}

async function note(request: string, { counting }: Counted, use: () => Promise<unknown>, count = 1): Promise<void> {
  bills.set(request, { ...emptyBill(), ...divide(await counting.bill(use), count) });
}

async function noteImports(): Promise<void> {
  const counted = await openCounted("pro");
  const { counting, send } = counted;
  await counting.watchAddress("files.example.com", "import-host");
  internet.answer = () => file(png(1, 1, 5000));
  const urls = Array.from({ length: ITEMS }, (_, number) => `https://files.example.com/${number}.png`);
  let id = "";
  await note(
    "`POST /images/import`, each of 100 items",
    counted,
    async () => {
      id = (await send("POST", "/images/import", { items: urls.map((url) => ({ url })) }))._id;
    },
    ITEMS,
  );
  await note("image, imported, one of 100", counted, () => runAll(counted, id), ITEMS);
  await note("`GET /imports`", counted, () => send("GET", "/imports"));
  await note("`GET /imports/:id`, 100 items", counted, () => send("GET", `/imports/${id}?limit=100`));
  const { _id } = await send("POST", "/images/import", { items: urls.map((url) => ({ url })) });
  await note("`DELETE /imports/:id`, each of 100 items", counted, () => send("DELETE", `/imports/${_id}`), ITEMS);
}

interface Taken {
  readonly count: number;
  readonly microdollars: number;
  readonly times?: number;
}

/**
 * The price of a million of `count` actions, each of which takes `microdollars` of the allowance of a Free account: the least of several, as
 * some also store the minute's count.
 */
async function noteAbuse(
  request: string,
  { counting }: Counted,
  { count, microdollars, times = TIMES }: Taken,
  use: () => Promise<unknown>,
): Promise<void> {
  const prices: number[] = [];
  for (let time = 0; time < times; time++) prices.push(dollarsPerMillion(await counting.bill(use)) / count);
  abuses.push({
    request,
    payer: "account",
    dollarsPerMillion: Math.min(...prices),
    // The first month has a full allowance and its refill.
    requestsPerMonth: (2 * ALLOWANCE_MICRODOLLARS.free) / microdollars,
    limit: "allowance for changes",
  });
}

async function noteAbuses(): Promise<void> {
  const dead = await openCounted("free");
  await dead.counting.watchAddress("dead.example.com", "import-host");
  internet.name("dead.example.com", PUBLIC);
  internet.answer = () => Promise.reject(new Error("Connection refused"));
  // Of one item, because the items of a larger import share alarms and messages.
  const tries = { count: MAX_ITEM_ATTEMPTS, microdollars: CHANGE_MICRODOLLARS };
  await noteAbuse("import from a dead host, each of five attempts", dead, tries, () =>
    importAll(dead, ["https://dead.example.com/a.png"]),
  );

  const redirected = await openCounted("free");
  const hosts = Array.from({ length: 6 }, (_, hop) => `hop${hop}.example.com`);
  for (const host of hosts) {
    internet.name(host, PUBLIC);
    await redirected.counting.watchAddress(host, "import-host");
  }
  internet.answer = ({ url }) => {
    const next = Number(/hop(\d)/.exec(url)?.[1]) + 1;
    return new Response(null, { status: 302, headers: { Location: `https://hop${next}.example.com/a.png` } });
  };
  // A host that was used lately has its alarm already, and costs less.
  const hops = { count: 1, microdollars: CHANGE_MICRODOLLARS + (hosts.length - 1) * HOST_MICRODOLLARS, times: 1 };
  await noteAbuse("import through redirects over six hosts", redirected, hops, () =>
    importAll(redirected, ["https://hop0.example.com/a.png"]),
  );

  const endless = await openCounted("free", STORAGE_BYTES - (PARTS + 0.5) * PART_BYTES);
  await endless.counting.watchAddress("files.example.com", "import-host");
  const piece = mp4(1_000_000);
  internet.answer = () =>
    new Response(new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece.slice()) }));
  const parts = { count: 1, microdollars: CHANGE_MICRODOLLARS + PARTS * PART_MICRODOLLARS };
  await noteAbuse(`import of a body without end, ${PARTS} parts`, endless, parts, () =>
    importAll(endless, ["https://files.example.com/film.mp4"]),
  );
}

beforeAll(async () => {
  await waitForQuietMinute(30_000);
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + skippedMs);
  internet = new Internet();
  internet.name("files.example.com", PUBLIC);
  await noteImports();
  await waitForQuietMinute(30_000);
  await noteAbuses();
}, 200_000);

afterAll(() => {
  vi.restoreAllMocks();
});

it("The page of costs has the counted figures of imports", () => {
  const table = costTable([...bills]);
  expect(costs.includes(table), table).toBe(true);
});

it("The page of costs has the abuse of imports, and none costs an account more than $5 a month", () => {
  for (const abuse of abuses) expect(dollarsPerMonth(abuse), abuse.request).toBeLessThanOrEqual(MOST_DOLLARS.account);
  const table = abuseTable(abuses);
  expect(costs.includes(table), table).toBe(true);
});
