import type { ListQuery } from "../../src/services/images/list-images.ts";
import { ADMIN_TOKEN, type Stack, startApi } from "../support/stack/miniflare.ts";
import { Table } from "./compression/table.ts";
import { changeAll, countWrites, deleteLargeFolder, listBySize } from "./library/changes.ts";
import { type Library, measure, ROUNDS, report } from "./library/measure.ts";
import { listQuestions, toPath } from "./library/questions.ts";
import { insertLibrary, LARGE_FOLDER, seedLibrary } from "./library/seed.ts";
import { openBusinessAccount } from "./support/account.ts";
import { Client } from "./support/client.ts";
import { countRead } from "./support/list-rows.ts";
import type { Target } from "./support/report.ts";

/** The largest library is compared with the smallest one. */
const SIZES = [1000, 100_000, 1_000_000];
const OTHERS = 10;
const ROWS_OF_OTHERS = 100_000;
const NAME_WIDTH = 24;
const SHARD = "LIBRARY_00";

/** Libraries of three sizes in one database, beside a million uploads of other accounts. Each question goes to every size in turn. */
export async function benchLibrary(): Promise<Target[]> {
  console.log(`library: GET /images and changes over HTTP, p50 of ${ROUNDS} a size, one request at a time`);
  await using product = await startApi();
  const libraries = await seed(product);
  const table = new Table(NAME_WIDTH, [
    "",
    ...SIZES.map((size) => `ms at ${size}`),
    "ratio",
    "rows read".padStart(26),
    "target".padStart(8),
    "      ",
  ]);
  const targets = [...(await askAll(product, libraries, table)), ...(await changeAll(libraries, table))];
  await countWrites(product, libraries);
  await listBySize(libraries);
  await deleteLargeFolder(libraries);
  return targets;
}

/** All in one shard: the others are closed. */
async function seed({ miniflare, url }: Stack): Promise<Library[]> {
  const started = performance.now();
  const operator = new Client(url);
  await operator.callJson(200, "PUT", "/admin/shards/01", ADMIN_TOKEN, { open: false });
  operator.close();
  const db = await miniflare.getD1Database(SHARD);
  const libraries: Library[] = [];
  for (const size of SIZES) {
    const { id, client } = await openBusinessAccount(url, `library-${size}@example.com`);
    libraries.push({ size, accountId: id, client, folders: await seedLibrary(db, id, size) });
  }
  for (let other = 0; other < OTHERS; other++) await seedLibrary(db, await insertLibrary(db), ROWS_OF_OTHERS);
  console.log(`  seeded in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return libraries;
}

async function askAll({ miniflare }: Stack, libraries: readonly Library[], table: Table): Promise<Target[]> {
  const targets: Target[] = [];
  const db = await miniflare.getD1Database(SHARD);
  const folderOf = ({ folders }: Library) => folders[LARGE_FOLDER + 1] ?? "";
  for (const [at, { name, atMost, atMostMs }] of listQuestions("").entries()) {
    const queryOf = (library: Library) => listQuestions(folderOf(library))[at]?.query as ListQuery;
    const times = await measure(libraries, async (library) => {
      return (await library.client.call(200, toPath(queryOf(library)))).seconds * 1000;
    });
    const rowsRead = await Promise.all(libraries.map((library) => countRead(db, library.accountId, queryOf(library))));
    targets.push(...report(table, name, times, rowsRead.join(" / "), { atMost, atMostMs }));
  }
  const deep = await Promise.all(libraries.map(deepCursor));
  const times = await measure(libraries, async (library) => {
    const path = `/images?folderId=all&cursor=${deep[libraries.indexOf(library)]}`;
    return (await library.client.call(200, path)).seconds * 1000;
  });
  targets.push(...report(table, "cursor, 3/4 through", times, "", { atMost: 1.5 }));
  for (const [name, path] of [
    ["GET /folders", "/folders"],
    ["GET /stats/overview", "/stats/overview"],
  ] as const) {
    const timed = await measure(libraries, async ({ client }) => (await client.call(200, path)).seconds * 1000);
    targets.push(...report(table, name, timed, "", { atMost: 1.5 }));
  }
  return targets;
}

async function deepCursor({ client, size }: Library): Promise<string> {
  const answer = await client.call(200, `/images?folderId=all&limit=50&page=${Math.floor((size * 0.75) / 50)}`);
  return JSON.parse(answer.body.toString()).pagination.nextCursor;
}
