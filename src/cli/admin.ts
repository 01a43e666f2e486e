import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import {
  createClient,
  type Finding,
  type Listing,
  MediaHostError,
  type OperatorPage,
  type Tier,
} from "../client/index.ts";

/** `npm run admin`: the operator's commands, over the API. BASE_URL and ADMIN_TOKEN say where; else the local stack. */

const USAGE = `usage:
  npm run admin -- show EMAIL
  npm run admin -- set-tier EMAIL TIER          (free, starter, pro, business)
  npm run admin -- retry-thumbnails [EMAIL]     (of one account; without EMAIL of every account)
  npm run admin -- invite EMAIL [DAYS]          (may register where that is by invitation; good for 30 days)
  npm run admin -- invitations
  npm run admin -- uninvite EMAIL
  npm run admin -- failed-thumbnails [EMAIL]    (which, and why)
  npm run admin -- intents [EMAIL]              (changes that are overdue; with EMAIL an account's that are not settled)
  npm run admin -- retry-intent ACCOUNT_ID ID   (finishes or undoes one now)
  npm run admin -- dead-letters                 (messages that could not be delivered for hours)
  npm run admin -- retry-dead-letters [ID]      (sends one again; without ID all of them)
  npm run admin -- drop-dead-letter ID
  npm run admin -- shards                       (the databases of libraries, and what they hold)
  npm run admin -- open-shard SHARD             (new accounts' libraries are put into it)
  npm run admin -- close-shard SHARD
  npm run admin -- move-account EMAIL SHARD     (goes on where it was stopped)
  npm run admin -- reconcile [--repair] [EMAIL] (compares all stores, and repairs what is safe; without EMAIL of every account)
  npm run admin -- erasure ACCOUNT_ID           (how the erasure of an account stands)
  npm run admin -- migrate                      (brings the databases' schemas up to date, new shards' too)`;

const LOCAL_SECRETS = ".dev.vars";

const baseUrl = (process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 8787}`).replace(/\/$/, "");
const adminToken = process.env.ADMIN_TOKEN ?? readLocalSecrets().ADMIN_TOKEN;

function readLocalSecrets(): Partial<Record<string, string>> {
  return existsSync(LOCAL_SECRETS) ? parseEnv(readFileSync(LOCAL_SECRETS, "utf8")) : {};
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

if (adminToken === undefined) fail("error: ADMIN_TOKEN is not set, and there is no .dev.vars (run npm start once)");

/** A command over every account makes more calls than an address may make in a minute: each waits as long as it is told. */
const { admin } = createClient({ baseUrl, key: adminToken, retries: 4 });

/** @returns how many videos were announced, over all calls */
async function retryThumbnails(email: string | undefined): Promise<number> {
  let count = 0;
  let after: string | undefined;
  do {
    const body = { ...(email === undefined ? {} : { email }), ...(after === undefined ? {} : { after }) };
    const { announced, next } = await admin.retryThumbnails(body);
    count += announced;
    after = next ?? undefined;
  } while (after !== undefined);
  return count;
}

async function showShards(): Promise<void> {
  const { shards } = await admin.shards();
  console.table(shards);
}

/** What was begun is finished by the service, also where this program ends before. */
async function moveAccount(email: string, shard: string): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    const { outcome, uploads } = await admin.moveAccount(email, shard);
    if (outcome === "moved") return console.log(`${email} is in shard ${shard}`);
    if (outcome === "busy")
      fail(`error: ${uploads} uploads of ${email} are under way and have not ended; try again later`);
    if (outcome !== "moving") fail(`error: the library of ${email} could not be copied, and is where it was`);
    console.log(`moving ... (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** @param days how long it is good, as text */
async function invite(email: string, days: string | undefined): Promise<void> {
  if (days !== undefined && !/^[1-9]\d{0,2}$/.test(days)) fail(`error: DAYS must be a number of days, not "${days}"`);
  console.log(await admin.invite(email, days === undefined ? {} : { days: Number(days) }));
}

async function showPages<Item extends object>(listing: Listing<Item, OperatorPage<Item>>): Promise<void> {
  for await (const { items } of listing.pages()) if (items.length > 0) console.table(items);
}

/** As many as one call takes. */
const LETTERS_AT_ONCE = 20;

/** @returns how many were sent again, over all calls */
async function retryDeadLetters(id: string | undefined): Promise<number> {
  let count = 0;
  const send = async (ids: string[]) => {
    const { letters } = await admin.retryDeadLetters({ ids });
    count += letters;
  };
  if (id !== undefined) await send([id]);
  else {
    for await (const { items } of admin.deadLetters().pages()) {
      const ids = items.map((letter) => letter.id);
      for (let at = 0; at < ids.length; at += LETTERS_AT_ONCE) await send(ids.slice(at, at + LETTERS_AT_ONCE));
    }
  }
  return count;
}

function printFindings(findings: readonly Finding[]): void {
  for (const { kind, accountId, subject, detail, repaired } of findings) {
    console.log([repaired ? "repaired" : "found", kind, accountId, subject, detail].filter(Boolean).join("  "));
  }
}

/** Compares one account's stores, as many calls as it takes. */
async function reconcileAccount(email: string, repair: boolean): Promise<void> {
  let count = 0;
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const body = { repair, ...(after === undefined ? {} : { after }) };
    const answer = await admin.reconcileAccount(email, body);
    printFindings(answer.findings);
    count += answer.findings.length;
    after = answer.next ?? undefined;
  }
  console.log(`differences: ${count}`);
}

/** Has everything compared. It goes on in the service, also where this program ends before. */
async function reconcileAll(repair: boolean): Promise<void> {
  let state = await admin.startReconciliation({ repair });
  for (; state.current !== null; state = await admin.reconciliation()) {
    console.log(`comparing ... (${state.current.accounts} accounts, ${state.current.uploads} uploads)`);
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  printFindings(state.findings);
  console.dir(state.last, { depth: null });
}

async function runCommand([command, first, second, ...rest]: readonly string[]): Promise<void> {
  if (rest.length > 0) fail(USAGE);
  if (command === "show" && first !== undefined && second === undefined) console.log(await admin.account(first));
  else if (command === "set-tier" && first !== undefined && second !== undefined) {
    console.log(await admin.setTier(first, second as Tier));
  } else if (command === "retry-thumbnails" && second === undefined) {
    console.log(`announced: ${await retryThumbnails(first)}`);
  } else if (command === "invite" && first !== undefined) {
    await invite(first, second);
  } else if (command === "invitations" && first === undefined) {
    await showPages(admin.invitations());
  } else if (command === "uninvite" && first !== undefined && second === undefined) {
    console.log(await admin.uninvite(first));
  } else if (command === "failed-thumbnails" && second === undefined) {
    await showPages(admin.failedThumbnails(first));
  } else if (command === "intents" && second === undefined) {
    if (first === undefined) await showPages(admin.intents());
    else console.table((await admin.accountIntents(first)).intents);
  } else if (command === "retry-intent" && first !== undefined && second !== undefined) {
    console.log(await admin.retryIntent({ accountId: first, id: second }));
  } else if (command === "dead-letters" && first === undefined) {
    await showPages(admin.deadLetters());
  } else if (command === "retry-dead-letters" && second === undefined) {
    console.log(`sent again: ${await retryDeadLetters(first)}`);
  } else if (command === "drop-dead-letter" && first !== undefined && second === undefined) {
    console.log(await admin.dropDeadLetters({ ids: [first] }));
  } else if (command === "shards" && first === undefined) {
    await showShards();
  } else if ((command === "open-shard" || command === "close-shard") && first !== undefined && second === undefined) {
    console.log(await admin.updateShard(first, command === "open-shard"));
  } else if (command === "move-account" && first !== undefined && second !== undefined) {
    await moveAccount(first, second);
  } else if (command === "reconcile") {
    const repair = [first, second].includes("--repair");
    const emails = [first, second].filter((text) => text !== undefined && text !== "--repair");
    const [email] = emails;
    if (emails.length > 1) fail(USAGE);
    await (email === undefined ? reconcileAll(repair) : reconcileAccount(email, repair));
  } else if (command === "erasure" && first !== undefined && second === undefined) {
    console.log(await admin.erasure(first));
  } else if (command === "migrate" && first === undefined) {
    console.dir(await admin.updateSchema(), { depth: null });
  } else fail(USAGE);
}

await runCommand(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof MediaHostError)) throw error;
  const { statusCode, message, details } = error;
  if (statusCode === 0) fail(`error: ${baseUrl} does not answer (${message})`);
  fail(`error: ${statusCode} ${message}${details === undefined ? "" : ` ${JSON.stringify(details)}`}`);
});
