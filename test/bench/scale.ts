import { readFile } from "node:fs/promises";
import { newId } from "../../src/domain/ids.ts";
import { TIERS } from "../../src/domain/tiers.ts";
import { newViewId, packViews } from "../../src/domain/view-pack.ts";
import { startApi, startBare } from "../support/stack/miniflare.ts";
import { NOW } from "../support/uploads/new-upload.ts";
import { Table } from "./compression/table.ts";
import { measureD1 } from "./scale/measure-d1.ts";
import { Client } from "./support/client.ts";
import type { Target } from "./support/report.ts";

/** The size of the computed service. */
const UPLOADS = 100_000_000;
const UPLOADS_PER_ACCOUNT = 2000;
const VIEWS_PER_MONTH = 1_000_000_000;
/** The number of days in which the uploads arrive. */
const DAYS = 730;
/** Requests for each upload: pages of listings, deletions, and requests that ask the directory because no isolate knows their key. */
const PAGES_PER_UPLOAD = 5;
const DELETES_PER_UPLOAD = 0.2;
const UNKNOWN_KEYS_PER_REQUEST = 0.1;
/** The ratio of the busiest second to the mean. */
const PEAK = 10;

/** The platform's limit (Cloudflare's documentation, "Limits" of D1 and of Durable Objects, November 2026). */
const MAX_DATABASE_BYTES = 10e9;
const MAX_OBJECT_BYTES = 10e9;
const MAX_OBJECT_CALLS_PER_SECOND = 1000;
/** The share of the limit that a journal of views may take. */
const JOURNAL_SHARE = 0.5;
/** A shard is closed to new accounts at this part of its bytes, since its accounts continue to grow. */
const CLOSED_AT = 0.7;
const LOG_MONTHS = 3;
const OPERATIONS = 20_000;
/** A view is a tenth of an operation (LIM-4). */
const VIEWS_PER_OPERATION = 10;

/**
 * A service of 100 million uploads, computed from the databases' measured sizes: the number of shards, and the limit that is reached first.
 */
export async function benchScale(): Promise<Target[]> {
  console.log(`scale: ${count(UPLOADS)} uploads in ${DAYS} days, ${count(VIEWS_PER_MONTH)} views a month`);
  await using product = await startApi();
  await using bare = await startBare("log.ts", { durableObjects: { LOG: { className: "Log", useSQLite: true } } });
  const { uploadBytes, accountBytes, busyMs } = await measureD1(product);
  const operationBytes = Number((await new Client(bare.url).call(200, `/${OPERATIONS}`)).body.toString());
  const viewBytes = bytesOfView();
  const bills = await readBills();

  const accounts = UPLOADS / UPLOADS_PER_ACCOUNT;
  const shards = Math.ceil((UPLOADS * uploadBytes) / (MAX_DATABASE_BYTES * CLOSED_AT));
  const uploadsPerSecond = (UPLOADS / (DAYS * 86_400)) * PEAK;
  const perShard = uploadsPerSecond / shards;
  const pages = perShard * PAGES_PER_UPLOAD;
  const deletes = perShard * DELETES_PER_UPLOAD;
  const requestsPerSecond = uploadsPerSecond * (1 + PAGES_PER_UPLOAD + DELETES_PER_UPLOAD);
  const viewsPerSecond = (VIEWS_PER_MONTH / (30 * 86_400)) * PEAK;
  const shardBusy = (perShard * busyMs.insert + pages * busyMs.page + deletes * busyMs.delete) / 1000;
  const directoryBusy = (requestsPerSecond * UNKNOWN_KEYS_PER_REQUEST * busyMs.key) / 1000;
  const objectCalls =
    uploadsPerSecond * bills("image, uploaded").objectCalls +
    uploadsPerSecond * PAGES_PER_UPLOAD * bills("page of a listing").objectCalls +
    uploadsPerSecond * DELETES_PER_UPLOAD * bills("delete").objectCalls +
    viewsPerSecond * bills("view").objectCalls;
  const journals = Math.ceil(viewsPerSecond / (MAX_OBJECT_CALLS_PER_SECOND * JOURNAL_SHARE));
  const rowsWritten = perShard * bills("image, uploaded").d1Rows + deletes * bills("delete").d1Rows;

  print("measured", [
    ["bytes of a shard for an upload", uploadBytes.toFixed(0)],
    ["bytes of the directory for an account", accountBytes.toFixed(0)],
    ["bytes of an account's object for an operation", operationBytes.toFixed(0)],
    ["bytes of an account's object for a view", viewBytes.toFixed(0)],
    ["ms of a shard for an upload's rows", busyMs.insert.toFixed(2)],
    ["ms of a shard for a page of 50", busyMs.page.toFixed(2)],
    ["ms of a shard for a deletion's rows", busyMs.delete.toFixed(2)],
    ["ms of the directory for a key", busyMs.key.toFixed(2)],
  ]);
  print("computed", [
    ["shards, each closed at 70 %", String(shards)],
    ["uploads in a shard", count(Math.round(UPLOADS / shards))],
    ["accounts", count(accounts)],
    ["uploads a second, at peak", uploadsPerSecond.toFixed(1)],
    ["views a second, at peak", viewsPerSecond.toFixed(0)],
    ["D1 calls a second of a shard, at peak", (perShard + pages + 2 * deletes).toFixed(1)],
    ["D1 rows written a second of a shard, at peak", rowsWritten.toFixed(1)],
    ["calls of Durable Objects a second, all together", objectCalls.toFixed(0)],
    ["journals of views (VIEW_JOURNALS)", String(journals)],
  ]);
  const largest = TIERS.business;
  const limits: [string, number][] = [
    ["a shard's 10 GB", CLOSED_AT],
    ["a shard's one thread, at peak", shardBusy],
    ["the directory's 10 GB", (accounts * accountBytes) / MAX_DATABASE_BYTES],
    ["the directory's one thread, at peak", directoryBusy],
    ["the shards' ids of two digits", shards / 100],
    [
      "the largest account's log of 90 days: uploads alone",
      (largest.operationsPerMonth * LOG_MONTHS * operationBytes) / MAX_OBJECT_BYTES,
    ],
    [
      "the largest account's log of 90 days: views alone",
      (largest.operationsPerMonth * VIEWS_PER_OPERATION * LOG_MONTHS * viewBytes) / MAX_OBJECT_BYTES,
    ],
    [
      "the largest account's object: its requests",
      ((largest.requestsPerMinute / 60) * bills("image, uploaded").objectCalls) / MAX_OBJECT_CALLS_PER_SECOND,
    ],
    ["a journal of views, at peak", viewsPerSecond / journals / MAX_OBJECT_CALLS_PER_SECOND],
  ];
  limits.sort(([, a], [, b]) => b - a);
  print(
    "limits, the nearest first",
    limits.map(([name, used]) => [name, `${(used * 100).toFixed(used < 0.1 ? 2 : 0)} %`]),
  );
  return limits.map(([name, value]) => ({ name, value, atMost: 1 }));
}

/** The largest case: a pack of a thousand, each of another upload. */
function bytesOfView(): number {
  const views = Array.from({ length: 1000 }, (_, at) => ({ id: newViewId(), at: NOW + at, resourceId: newId(NOW) }));
  return packViews(views).length / views.length;
}

interface RequestBill {
  readonly objectCalls: number;
  readonly d1Rows: number;
}

/** The cost of requests, from the table of docs/operating/costs.md, which a test compares with counted costs. */
async function readBills(): Promise<(request: string) => RequestBill> {
  const lines = (await readFile("docs/operating/costs.md", "utf8")).split("\n");
  return (request) => {
    const cells = lines
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .find(([, first]) => first === request);
    const number = (column: number) => Number(cells?.[column]);
    const bill = { objectCalls: number(3), d1Rows: number(6) };
    if (Object.values(bill).some(Number.isNaN)) throw new Error(`docs/operating/costs.md has no row "${request}"`);
    return bill;
  };
}

function print(title: string, rows: readonly (readonly [string, string])[]): void {
  const table = new Table(52, [title, " ".repeat(12)]);
  for (const row of rows) table.print(row);
}

function count(number: number): string {
  return number.toLocaleString("en");
}
