import type { Miniflare } from "miniflare";
import { newId } from "../../src/domain/ids.ts";
import { fileKey } from "../../src/domain/object-key.ts";
import { startApi, startBare } from "../support/stack/miniflare.ts";
import { openBusinessAccount } from "./support/account.ts";
import { Client } from "./support/client.ts";
import { reportRatio, type Target } from "./support/report.ts";
import { measureInTurn, median } from "./support/rounds.ts";

const UPLOADS = 1000;
const PAGE = 50;
/** With the warm-up fewer than the tier's 1,000 a minute. */
const REQUESTS = 80;
const ROUNDS = 10;

/** The dashboard's first page: 50 of an account's 1,000 uploads. */
export async function benchList(): Promise<Target[]> {
  console.log(`list: GET /images page 1 of ${UPLOADS} uploads, one request at a time, p50 of ${REQUESTS} a round`);
  await using product = await startApi();
  await using bare = await startBare("list.ts", { durableObjects: { PING: { className: "Ping", useSQLite: true } } });
  const account = await openBusinessAccount(product.url);
  await seedUploads(product.miniflare, account.id);
  await seedAccount(bare.miniflare, account.id);
  await seedUploads(bare.miniflare, account.id);
  const sides = {
    product: pageReader(account.client, "/images", (answer) => (answer as { images: unknown[] }).images),
    bare: pageReader(new Client(bare.url), `/${account.id}`, (answer) => answer as unknown[]),
  };
  return [reportRatio("ms", await measureInTurn(ROUNDS, sides), { atMost: 2 })];
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

async function seedAccount(miniflare: Miniflare, accountId: string): Promise<void> {
  const db = await miniflare.getD1Database("DB");
  await db
    .prepare(
      `INSERT INTO accounts (id, email, password_hash, tier, auto_compress, compression_quality, created_at)
       VALUES (?, 'bench@example.com', '', 'business', 0, 65, 0)`,
    )
    .bind(accountId)
    .run();
}

async function seedUploads(miniflare: Miniflare, accountId: string): Promise<void> {
  const db = await miniflare.getD1Database("DB");
  const insert = db.prepare(
    `INSERT INTO uploads (id, account_id, status, object_key, original_filename, mime_type, size_bytes,
       original_size_bytes, width, height, favorite, tags, created_at)
     VALUES (?, ?, 'active', ?, ?, 'image/jpeg', 2345678, 2345678, 4032, 3024, 0, '["holiday","beach"]', ?)`,
  );
  const rows = Array.from({ length: UPLOADS }, (_, index) => {
    const createdAt = Date.UTC(2026, 0, 1) + index * 60_000;
    const id = newId(createdAt);
    const name = `IMG_${1000 + index}.jpg`;
    return insert.bind(id, accountId, fileKey(accountId, id, name), name, createdAt);
  });
  await db.batch(rows);
}
