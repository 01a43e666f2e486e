import { newId } from "../../src/domain/ids.ts";
import { fileKey } from "../../src/domain/object-key.ts";
import { libraryDatabase, startApi, startBare } from "../support/stack/miniflare.ts";
import { type Database, insertLibrary } from "./library/seed.ts";
import { openBusinessAccount } from "./support/account.ts";
import { Client } from "./support/client.ts";
import { reportRatio, type Target } from "./support/report.ts";
import { measureInTurn, median } from "./support/rounds.ts";

const UPLOADS = 1000;
const PAGE = 50;
/** The requests and the warm-up stay below the tier's 1,000 a minute. */
const REQUESTS = 80;
const ROUNDS = 10;

/** The dashboard's first page: 50 of an account's 1,000 uploads. */
export async function benchList(): Promise<Target[]> {
  console.log(`list: GET /images page 1 of ${UPLOADS} uploads, one request at a time, p50 of ${REQUESTS} a round`);
  await using product = await startApi();
  await using bare = await startBare("list.ts", { durableObjects: { PING: { className: "Ping", useSQLite: true } } });
  const account = await openBusinessAccount(product.url);
  await seedUploads(await libraryDatabase(product, account.id), account.id);
  const bareDatabase = await bare.miniflare.getD1Database("DB");
  await insertLibrary(bareDatabase, account.id);
  await seedUploads(bareDatabase, account.id);
  const sides = {
    product: pageReader(account.client, "/images", (answer) => (answer as { images: unknown[] }).images),
    bare: pageReader(new Client(bare.url), `/${account.id}`, (answer) => answer as unknown[]),
  };
  return [reportRatio("ms", await measureInTurn(ROUNDS, sides), { atMost: 1.3 })];
}

function pageReader(client: Client, path: string, rowsOf: (answer: unknown) => unknown[]): () => Promise<number> {
  return async () => {
    const milliseconds: number[] = [];
    for (let request = 0; request < REQUESTS; request++) {
      const { body, seconds } = await client.call(200, path);
      milliseconds.push(seconds * 1000);
      const { length } = rowsOf(JSON.parse(body.toString()));
      if (length !== PAGE) throw new Error(`${length} rows instead of ${PAGE}`);
    }
    return median(milliseconds);
  };
}

async function seedUploads(db: Database, accountId: string): Promise<void> {
  const insert = db.prepare(
    `INSERT INTO uploads (number, id, account_id, status, object_key, original_filename, mime_type, size_bytes,
       original_size_bytes, width, height, favorite, tags, created_at)
     VALUES (CAST(?5 AS INTEGER) << 20, ?1, ?2, 'active', ?3, ?4, 'image/jpeg', 2345678, 2345678, 4032, 3024, 0, '["holiday","beach"]', ?5)`,
  );
  const rows = Array.from({ length: UPLOADS }, (_, index) => {
    const createdAt = Date.UTC(2026, 0, 1) + index * 60_000;
    const id = newId(createdAt);
    const name = `IMG_${1000 + index}.jpg`;
    return insert.bind(id, accountId, fileKey(accountId, id, name), name, createdAt);
  });
  await db.batch(rows);
}
