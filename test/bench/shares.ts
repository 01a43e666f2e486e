import { newId } from "../../src/domain/ids.ts";
import { libraryDatabase, startApi, startBare } from "../support/stack/miniflare.ts";
import { type Database, insertLibrary, SEEDED_FROM } from "./library/seed.ts";
import { openBusinessAccount } from "./support/account.ts";
import { Client } from "./support/client.ts";
import { reportSpread, reportTarget, type Target } from "./support/report.ts";
import { median } from "./support/rounds.ts";

const SIZES = [100, 100_000] as const;
const ROWS_A_STATEMENT = 2500;
const PAGE = 60;
/** All requests of a minute stay below the limit of an address. */
const REQUESTS = 10;
const ROUNDS = 12;

type Side = "bare" | (typeof SIZES)[number];

/**
 * The page of a folder of 100 and of 100,000 files, in turn with a bare Worker that only calls an object and reads 50 rows. The first round
 * is dropped.
 */
export async function benchShares(): Promise<Target[]> {
  console.log(`shares: the page of a folder, one request at a time, p50 of ${REQUESTS} a round, ${ROUNDS} rounds`);
  await using product = await startApi();
  await using bare = await startBare("list.ts", { durableObjects: { PING: { className: "Ping", useSQLite: true } } });
  const visitor = new Client(product.url);
  const ask = new Map<Side, () => Promise<number>>();
  const bareDatabase = await bare.miniflare.getD1Database("DB");
  const bareAccount = await insertLibrary(bareDatabase);
  await seedFiles(bareDatabase, { accountId: bareAccount, folderId: null, count: SIZES[0], slot: 0 });
  const bareClient = new Client(bare.url);
  ask.set("bare", async () => (await bareClient.call(200, `/${bareAccount}`)).seconds);
  for (const [slot, size] of SIZES.entries()) {
    const { id: accountId, client } = await openBusinessAccount(product.url, `shares-${size}@example.com`);
    const post = async (path: string, body: object) => {
      const call = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
      return JSON.parse((await client.call(201, path, call)).body.toString());
    };
    const { _id: folderId } = await post("/folders", { name: "Shared" });
    await seedFiles(await libraryDatabase(product, accountId), { accountId, folderId, count: size, slot });
    const { pathname } = new URL((await post("/shares", { folderId })).url);
    ask.set(size, async () => {
      const { body, seconds } = await visitor.call(200, pathname);
      const tiles = body.toString().split('class="tile"').length - 1;
      if (tiles !== PAGE) throw new Error(`${tiles} tiles instead of ${PAGE}`);
      return seconds;
    });
  }
  const times = new Map<Side, number[]>([...ask.keys()].map((side) => [side, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    const seconds = new Map<Side, number[]>([...ask.keys()].map((side) => [side, []]));
    for (let request = 0; request < REQUESTS; request++)
      for (const [side, once] of ask) seconds.get(side)?.push(await once());
    if (round > 0) for (const [side, taken] of seconds) times.get(side)?.push(median(taken) * 1000);
  }
  for (const [side, taken] of times) reportSpread(side === "bare" ? side : `${side} files`, taken, "ms");
  const ratios = (one: Side, other: Side) =>
    (times.get(one) ?? []).map((value, at) => value / (times.get(other)?.[at] ?? Number.NaN));
  const [few, many] = SIZES;
  reportSpread(`${few} files / bare`, ratios(few, "bare"), "");
  return [reportTarget({ name: `${many} / ${few}`, value: median(ratios(many, few)), atMost: 1.2 })];
}

interface Seeding {
  readonly accountId: string;
  /** Null is Root. */
  readonly folderId: string | null;
  readonly count: number;
  /** Makes the numbers of accounts whose uploads are of the same millisecond distinct. */
  readonly slot: number;
}

async function seedFiles(db: Database, { accountId, folderId, count, slot }: Seeding): Promise<void> {
  for (let first = 0; first < count; first += ROWS_A_STATEMENT) {
    const last = Math.min(first + ROWS_A_STATEMENT, count) - 1;
    await db.prepare(INSERT).bind(first, last, SEEDED_FROM, slot, accountId, folderId, newId(SEEDED_FROM)).run();
  }
}

const INSERT = `
  WITH RECURSIVE counted (n) AS (
    SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM counted WHERE n < CAST(?2 AS INTEGER)
  ), named AS MATERIALIZED (
    SELECT n, CAST(?3 + n * 60000 AS INTEGER) AS at, substr(?7, 1, 18) || CAST(?4 AS INTEGER) || printf('%07d', n) AS id,
      printf('IMG_%07d.jpg', n) AS name
    FROM counted
  )
  INSERT INTO uploads (number, id, account_id, folder_id, status, object_key, original_filename, mime_type, size_bytes,
    original_size_bytes, width, height, favorite, tags, created_at)
  SELECT (at << 20) + CAST(?4 AS INTEGER), id, ?5, ?6, 'active', 'uploads/' || ?5 || '/' || id || '-' || name, name,
    'image/jpeg', 2345678, 2345678, 4032, 3024, 0, '["holiday","beach"]', at
  FROM named`;
