import type { CdnEnv } from "../../../src/cdn/env.ts";
import { ViewJournal as RealViewJournal } from "../../../src/cdn/view-journal.ts";
import { recordView } from "../../../src/cdn/views.ts";
import type { FileViewed, ViewsCollected } from "../../../src/domain/queue-messages.ts";
import { newViewId } from "../../../src/domain/view-pack.ts";
import { backoffSeconds } from "../../../src/jobs/backoff.ts";
import { recordViews, type ViewsMessage } from "../../../src/jobs/record-views.ts";
import { AccountMeter as RealAccountMeter } from "../../../src/meter/account-meter.ts";
import { countRows } from "../../support/costs/count-rows.ts";
import { type Bill, emptyBill } from "../../support/costs/prices.ts";
import { BusySeconds } from "./busy-seconds.ts";

/**
 * The path of a view from the CDN Worker to its account, by the product's journals or by one queue message each, with the platform's bill
 * for it. The queue is a list, delivered as `wrangler.toml` configures it.
 */

export type Way = "journal" | "queue";

export interface Load {
  /** Distinguishes the objects of the loads. */
  readonly name: string;
  readonly way: Way;
  readonly viewsPerSecond: number;
  readonly accounts: readonly string[];
  readonly seconds: number;
}

export interface Measured {
  readonly views: number;
  readonly counted: number;
  readonly bill: Bill;
}

interface BenchEnv extends Env {
  readonly VIEW_JOURNAL: CdnEnv["VIEW_JOURNAL"];
  readonly ACCOUNT_METER: DurableObjectNamespace<AccountMeter>;
}

const UPLOAD = "01hzy3v7k9q4r5s6t7v8w9x0yb";
const TICK_MS = 10;
/** `max_batch_size` and `max_batch_timeout` of the queue of views in wrangler.toml. */
const BATCH = 100;
const BATCH_MS = 2000;
/** A message is billed for each 64 KB that it begins: written, read and deleted (Queues documentation, "Pricing"). */
const BILLED_BYTES = 64_000;

/** Bills by load. All of this Worker's objects are in one isolate. */
const bills = new Map<string, Bill>();
const queues = new Map<string, (FileViewed | ViewsCollected)[]>();

function billOf(load: string): Bill {
  const bill = bills.get(load) ?? emptyBill();
  bills.set(load, bill);
  return bill;
}

function queueOf(load: string): (FileViewed | ViewsCollected)[] {
  const queue = queues.get(load) ?? [];
  queues.set(load, queue);
  return queue;
}

function bytesOf(body: FileViewed | ViewsCollected): number {
  if (body.type === "file.viewed") return JSON.stringify(body).length;
  return Array.from(body.packs.values()).reduce((sum, pack) => sum + pack.length + 40, 100);
}

function send(load: string, body: FileViewed | ViewsCollected): void {
  billOf(load).queueOperations += 3 * Math.ceil(bytesOf(body) / BILLED_BYTES);
  queueOf(load).push(body);
}

/** An object's name begins with its load's. */
function loadOf({ id }: DurableObjectState): string {
  return (id.name ?? "").split("/")[0] ?? "";
}

export class ViewJournal extends RealViewJournal {
  readonly #busy: BusySeconds;

  constructor(state: DurableObjectState, env: CdnEnv) {
    const load = loadOf(state);
    countRows(state.storage, billOf(load));
    const VIEWS = { send: async (body: ViewsCollected) => send(load, body) } as unknown as CdnEnv["VIEWS"];
    super(state, { ...env, VIEWS });
    this.#busy = new BusySeconds(billOf(load));
  }

  override record(view: Parameters<RealViewJournal["record"]>[0]) {
    billOf(loadOf(this.ctx)).objectCalls += 1;
    return this.#busy.during(() => super.record(view));
  }

  override alarm() {
    billOf(loadOf(this.ctx)).objectCalls += 1;
    return this.#busy.during(() => super.alarm());
  }
}

export class AccountMeter extends RealAccountMeter {
  readonly #busy: BusySeconds;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    countRows(state.storage, billOf(loadOf(state)));
    this.#busy = new BusySeconds(billOf(loadOf(state)));
  }

  /** Opens the account, which is in no database here. */
  async open(): Promise<void> {
    const id = this.ctx.id.name ?? "";
    this.ctx.storage.sql.exec(
      "INSERT OR IGNORE INTO account (one, account_id, tier, period_ends_at, used_tenths, storage_bytes, auto_compress, compression_quality, shard) VALUES (1, ?, 'business', ?, 0, 0, 0, 65, '00')",
      id,
      Date.now() + 86_400_000,
    );
    // Set once in 90 days, when the log is first pruned.
    await this.ctx.storage.setAlarm(Date.now() + 86_400_000);
    await this.ctx.storage.sync();
    // The figures are read when the object is made.
    this.ctx.abort("opened");
  }

  override recordViews(...args: Parameters<RealAccountMeter["recordViews"]>) {
    billOf(loadOf(this.ctx)).objectCalls += 1;
    return this.#busy.during(() => super.recordViews(...args));
  }

  /** Rows of the log, each of which is deleted after 90 days. */
  async logRows(): Promise<number> {
    const { n } = this.ctx.storage.sql
      .exec<{ n: number }>("SELECT (SELECT count(*) FROM view_packs) + (SELECT count(*) FROM class_b_operations) AS n")
      .one();
    return n;
  }
}

async function view(env: BenchEnv, { name, way }: Load, accountId: string): Promise<void> {
  const objectKey = `uploads/${accountId}/${UPLOAD}-a.png`;
  if (way === "queue") {
    send(name, { type: "file.viewed", viewId: newViewId(), accountId, objectKey, viewedAt: Date.now() });
    return;
  }
  const VIEW_JOURNAL = {
    getByName: (journal: string) => env.VIEW_JOURNAL.getByName(`${name}/${journal}`),
  } as unknown as CdnEnv["VIEW_JOURNAL"];
  const VIEWS = { send: async (body: FileViewed) => send(name, body) } as unknown as CdnEnv["VIEWS"];
  const file = { kind: "file", accountId, uploadId: UPLOAD, version: UPLOAD, objectKey, query: "" } as const;
  await recordView({ VIEW_JOURNAL, VIEWS, VIEW_JOURNALS: "4" }, file, 250_000);
}

async function deliver(env: BenchEnv, { name }: Load): Promise<void> {
  for (const queue = queueOf(name); queue.length > 0; ) {
    billOf(name).workerRequests += 1;
    const messages = queue.splice(0, BATCH).map((body) => {
      const id = crypto.randomUUID();
      return { id, body, attempts: 1, timestamp: new Date(), ack: () => {}, retry: () => queue.push(body) };
    });
    await recordViews(messages as unknown as ViewsMessage[], backoffSeconds, (accountId) =>
      env.ACCOUNT_METER.getByName(`${name}/${accountId}`),
    );
  }
}

async function run(env: BenchEnv, load: Load): Promise<Measured> {
  const { name, viewsPerSecond, accounts, seconds, way } = load;
  const meters = () => accounts.map((id) => env.ACCOUNT_METER.getByName(`${name}/${id}`));
  for (const meter of meters()) await meter.open().catch(() => {});
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  // Journals send at the full minute: the load begins right after one.
  await sleep(60_500 - (Date.now() % 60_000));
  bills.delete(name);
  const bill = Object.assign(billOf(name), emptyBill());
  const pending: Promise<void>[] = [];
  const startedAt = Date.now();
  let [views, deliveredAt] = [0, startedAt];
  for (;;) {
    const elapsedMs = Date.now() - startedAt;
    if (elapsedMs >= seconds * 1000) break;
    for (const due = (elapsedMs * viewsPerSecond) / 1000; views < due; views++) {
      pending.push(view(env, load, accounts[Math.floor(Math.random() * accounts.length)] ?? ""));
    }
    if (way === "queue" && (queueOf(name).length >= BATCH || Date.now() - deliveredAt >= BATCH_MS)) {
      deliveredAt = Date.now();
      await deliver(env, load);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(pending);
  if (way === "journal") {
    await sleep(60_000 - (Date.now() % 60_000));
    // Production's journals run side by side, and all have sent before a batch is complete. Here they share one thread.
    for (let before = -1; before < queueOf(name).length; await sleep(BATCH_MS)) before = queueOf(name).length;
  }
  await deliver(env, load);
  const measured = { ...bill };
  let counted = 0;
  for (const meter of meters()) {
    counted += (await meter.read())?.classBTenths ?? 0;
    measured.objectRowsWritten += await meter.logRows();
  }
  return { views, counted, bill: measured };
}

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    return Response.json(await run(env, await request.json<Load>()));
  },
};
