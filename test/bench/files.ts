import { SORTS } from "../../src/db/listing/sorting.ts";
import { png } from "../support/media/samples.ts";
import { ADMIN_TOKEN, libraryDatabase, type Stack, startApi } from "../support/stack/miniflare.ts";
import { seedLibrary } from "./library/seed.ts";
import { benchPrivate } from "./private.ts";
import { type BenchAccount, openBusinessAccount } from "./support/account.ts";
import { Client } from "./support/client.ts";
import { countRead } from "./support/list-rows.ts";
import { reportRatio, reportTarget, type Target } from "./support/report.ts";
import { measureInTurn, median } from "./support/rounds.ts";

const ROUNDS = 11;
/** The requests of an account stay below the tier's 1,000 a minute. */
const REQUESTS = 10;
const FILE_BYTES = 20_000;
const UPLOADS = 1_000_000;
const PAGE = { page: 1, limit: 50, status: "active", folderId: "all", tags: [], excludedTags: [] } as const;

/** The parts of files for other people's pages, each against the same request without it, in turns. */
export async function benchFiles(): Promise<Target[]> {
  return [...(await benchRequests()), ...(await benchPrivate()), ...(await benchSorts())];
}

async function benchRequests(): Promise<Target[]> {
  await using stack = await startApi();
  const account = await openBusinessAccount(stack.url);
  const visitor = await openVisitor(stack, account);
  let drawn = 0;
  const send = ({ client }: { readonly client: Client }, query = "", known?: Buffer) =>
    milliseconds(async () => {
      const body = known ?? Buffer.from(png(1, 1, FILE_BYTES + (drawn++ % 5000)));
      if (known === undefined) body.writeUInt32BE(drawn, body.length - 8);
      const status = known === undefined ? 201 : 200;
      return (await client.call(status, `/images/upload?filename=a.png${query}`, { method: "POST", body })).seconds;
    });
  console.log("files: upload with a token (product) against one with a key (bare), p50");
  const targets = [
    reportRatio("ms", await measureInTurn(ROUNDS, { product: send(visitor), bare: send(account) }), { atMost: 1.3 }),
  ];
  console.log("files: an upload whose bytes are stored, with `dedupe`, against an upload, p50");
  const known = Buffer.from(png(1, 1, FILE_BYTES - 1));
  await account.client.call(201, "/images/upload?filename=known.png", { method: "POST", body: known });
  const duplicates = { product: send(account, "&dedupe=true", known), bare: send(account) };
  targets.push(reportRatio("ms", await measureInTurn(ROUNDS, duplicates), { atMost: 1 }));
  console.log("files: `PATCH` of an account with events against one without, p50");
  const [listened, silent] = [
    await openBusinessAccount(stack.url, "listened@example.com"),
    await openBusinessAccount(stack.url, "silent@example.com"),
  ];
  await listened.client.call(200, "/events");
  const changes = { product: await changer(listened), bare: await changer(silent) };
  targets.push(reportRatio("ms", await measureInTurn(ROUNDS, changes), { atMost: 2 }));
  return targets;
}

async function openVisitor(stack: Stack, { client }: BenchAccount): Promise<{ readonly client: Client }> {
  const call = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  const { body } = await client.call(201, "/upload-tokens", call);
  const { token } = JSON.parse(body.toString()) as { readonly token: string };
  return { client: new Client(stack.url, { Authorization: `Bearer ${token}` }) };
}

async function changer({ client }: BenchAccount): Promise<() => Promise<number>> {
  const body = Buffer.from(png(1, 1, FILE_BYTES));
  const answer = await client.call(201, "/images/upload?filename=a.png", { method: "POST", body });
  const { _id } = JSON.parse(answer.body.toString()) as { readonly _id: string };
  let isFavorite = false;
  return milliseconds(async () => {
    isFavorite = !isFavorite;
    const call = {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ favorite: isFavorite }),
    };
    return (await client.call(200, `/images/${_id}`, call)).seconds;
  });
}

/** @returns p50 of a round */
function milliseconds(ask: () => Promise<number>): () => Promise<number> {
  return async () => {
    const taken: number[] = [];
    for (let request = 0; request < REQUESTS; request++) taken.push((await ask()) * 1000);
    return median(taken);
  };
}

/** Each order of a million files against the usual one, and the rows that it reads: it follows an index. */
async function benchSorts(): Promise<Target[]> {
  await using stack = await startApi();
  const operator = new Client(stack.url);
  await operator.callJson(200, "PUT", "/admin/shards/01", ADMIN_TOKEN, { open: false });
  operator.close();
  const { id, client } = await openBusinessAccount(stack.url);
  const db = await libraryDatabase(stack, id);
  await seedLibrary(db, id, UPLOADS);
  await db.prepare("UPDATE uploads SET taken_at = created_at - 1000 * (number % 86400) WHERE number % 2 = 0").run();
  const targets: Target[] = [];
  const usual = milliseconds(async () => (await client.call(200, "/images?folderId=all")).seconds);
  for (const by of SORTS) {
    for (const order of ["asc", "desc"] as const) {
      console.log(`files: a page by ${by}, ${order}, of ${UPLOADS} files (product) against the usual page, p50`);
      const path = `/images?folderId=all&sort=${by}&order=${order}`;
      const sorted = milliseconds(async () => (await client.call(200, path)).seconds);
      targets.push(reportRatio("ms", await measureInTurn(ROUNDS, { product: sorted, bare: usual }), { atMost: 1.5 }));
      const rowsRead = await countRead(db, id, { ...PAGE, sorting: { by, order } });
      targets.push(reportTarget({ name: "rows read", value: rowsRead, atMost: MOST_ROWS }));
      // Another minute of the tier.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  return targets;
}

/** 240 requests are one measurement, and a minute has 1,000, also if they take no time. */
const PAUSE_MS = 15_000;

/** A page that followed no index would read every file. */
const MOST_ROWS = 1000;
