import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { createAdmin } from "../client/admin.ts";
import { Connection } from "../client/connection.ts";
import { createClient, type Finding, type Listing, type ListPage, MediaHostError } from "../client/index.ts";
import { itemsOf } from "../client/listing.ts";
import { makeBackup } from "./backup/backup.ts";
import { openFolder } from "./backup/folder-target.ts";
import { chooseBackup, restoreBackup, verifyBackup } from "./backup/restore.ts";
import { openS3 } from "./backup/s3-target.ts";
import { Service } from "./backup/service.ts";
import type { Target } from "./backup/target.ts";
import { OPERATOR_USAGE, runOperatorCommand, signedFetch } from "./operator-commands.ts";
import { parseS3Url, readBucketOptions } from "./s3/parse-s3-url.ts";

/** `npm run admin`: the operator's commands. They call the service at BASE_URL with ADMIN_TOKEN, or the local stack. */

const USAGE = `usage:
  npm run admin -- show EMAIL
  npm run admin -- set-tier EMAIL TIER [ACCOUNT_ID]  (free, starter, pro, business; the id, which the account's
                                                owner knows, is needed to upgrade an account with an unverified e-mail)
  npm run admin -- retry-thumbnails [EMAIL]     (all accounts without EMAIL)
  npm run admin -- invite EMAIL [DAYS] [--show] (mails an invitation, valid for 30 days by default; --show and services
                                                without mail print its link)
  npm run admin -- invitations
  npm run admin -- uninvite EMAIL
  npm run admin -- failed-thumbnails [EMAIL]    (failed thumbnails with reasons)
  npm run admin -- intents [EMAIL]              (overdue changes; with EMAIL the unsettled changes of an account)
  npm run admin -- retry-intent ACCOUNT_ID ID   (finishes or undoes a change now)
  npm run admin -- dead-letters                 (messages that could not be delivered for hours)
  npm run admin -- retry-dead-letters [ID]      (sends a message again; all without ID)
  npm run admin -- drop-dead-letter ID
  npm run admin -- shards                       (the library databases and their contents)
  npm run admin -- open-shard SHARD             (new accounts may be placed in it)
  npm run admin -- close-shard SHARD
  npm run admin -- move-account EMAIL SHARD     (resumes an interrupted move)
  npm run admin -- reconcile [--repair] [EMAIL] (compares the stores; repairs safe differences; all accounts without EMAIL)
  npm run admin -- erasure ACCOUNT_ID           (the state of an erasure)
  npm run admin -- backup TARGET [KEEP]         (to a folder or s3://BUCKET/PREFIX; keeps the newest KEEP backups, 7 by default)
  npm run admin -- verify-backup TARGET [BACKUP]  (compares every byte with its hash)
  npm run admin -- restore-backup TARGET [BACKUP]  (into an empty installation, then reconcile --repair)
  npm run admin -- migrate                      (brings the schema of every database up to date)
${OPERATOR_USAGE}

Each action is signed in the audit log with your user name, or OPERATOR, and with REASON.`;

const LOCAL_SECRETS = ".dev.vars";

const baseUrl = (process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 8787}`).replace(/\/$/, "");
const adminToken = process.env.ADMIN_TOKEN ?? readLocalSecrets().ADMIN_TOKEN;

function readLocalSecrets(): Partial<Record<string, string>> {
  return existsSync(LOCAL_SECRETS) ? parseEnv(readFileSync(LOCAL_SECRETS, "utf8")) : {};
}

function isHelp(word: string | undefined): boolean {
  return word === "--help" || word === "-h" || word === "help";
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

if (isHelp(process.argv[2])) {
  console.log(USAGE);
  process.exit(0);
}
if (adminToken === undefined) fail("error: ADMIN_TOKEN is not set, and there is no .dev.vars (run npm start once)");

/** A command about all accounts exceeds the address's rate, so each call waits for its `Retry-After`. */
const options = { baseUrl, key: adminToken, retries: 4, fetch: signedFetch(process.env) };
const admin = createAdmin(createClient(options));
const service = new Service(baseUrl, adminToken);

/** @returns how many videos were announced, over all calls */
async function retryThumbnails(email: string | undefined): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const body = { ...(email === undefined ? {} : { email }), ...(cursor === undefined ? {} : { cursor }) };
    const { announced, pagination } = await admin.retryThumbnails(body);
    count += announced;
    cursor = pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return count;
}

async function showShards(): Promise<void> {
  const { shards } = await admin.shards();
  console.table(shards);
}

/** The service finishes the move even if this program ends before. */
async function moveAccount(email: string, shard: string): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    const { outcome, uploads } = await admin.moveAccount(email, shard);
    if (outcome === "moved") return console.log(`${email} is in shard ${shard}`);
    if (outcome === "busy") fail(`error: ${uploads} uploads of ${email} are in progress; try again later`);
    if (outcome !== "moving") fail(`error: the library of ${email} could not be copied; it was not moved`);
    console.log(`moving ... (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** @param args DAYS, `--show` or both */
async function invite(email: string, args: readonly string[]): Promise<void> {
  const [days, ...others] = args.filter((text) => text !== "--show");
  if (others.length > 0) fail(USAGE);
  const show = args.includes("--show") ? { show: true } : {};
  if (days !== undefined && !/^[1-9]\d{0,2}$/.test(days)) fail(`error: DAYS must be a number of days, not "${days}"`);
  console.log(await admin.invite(email, { ...show, ...(days === undefined ? {} : { days: Number(days) }) }));
}

async function showPages<Item extends object>(listing: Listing<Item, ListPage>): Promise<void> {
  for await (const page of listing.pages()) {
    const items = itemsOf<Item>(page);
    if (items.length > 0) console.table(items);
  }
}

/** The maximum of one call. */
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
    for await (const page of admin.deadLetters().pages()) {
      const ids = itemsOf<{ readonly id: string }>(page).map(({ id }) => id);
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

/** Compares one account's stores in as many calls as that takes. */
async function reconcileAccount(email: string, repair: boolean): Promise<void> {
  let count = 0;
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const body = { repair, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await admin.reconcileAccount(email, body);
    printFindings(answer.findings);
    count += answer.findings.length;
    cursor = answer.pagination.nextCursor ?? undefined;
  }
  console.log(`differences: ${count}`);
}

/** Starts a comparison of all accounts. The service continues it even if this program ends. */
async function reconcileAll(repair: boolean): Promise<void> {
  let state = await admin.startReconciliation({ repair });
  for (; state.current !== null; state = await admin.reconciliation()) {
    console.log(`comparing ... (${state.current.accounts} accounts, ${state.current.uploads} uploads)`);
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  printFindings(state.findings);
  console.dir(state.last, { depth: null });
}

/** @param keep how many backups stay in the target, as text */
async function backUp(target: string, keep = "7"): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(keep)) fail(`error: KEEP must be a number of backups, not "${keep}"`);
  await makeBackup(service, openTarget(target, process.env), { baseUrl, keep: Number(keep), print: console.log });
}

async function verify(text: string, id: string | undefined): Promise<void> {
  const target = openTarget(text, process.env);
  const manifest = await chooseBackup(target, id);
  await verifyBackup(target, manifest, console.log);
  console.log(`backup ${manifest.id} is whole`);
}

/** Restores a backup, then repairs the differences that arose while it was made. */
async function restore(text: string, id: string | undefined): Promise<void> {
  const target = openTarget(text, process.env);
  const manifest = await chooseBackup(target, id);
  await restoreBackup(service, target, manifest, console.log);
  await reconcileAll(true);
  console.log(`backup ${manifest.id} is restored: ${manifest.accounts} accounts, ${manifest.files} files`);
}

/** @returns false if it is another command */
async function runBackupCommand([command, target, second]: readonly string[]): Promise<boolean> {
  if (target === undefined) return false;
  if (command === "backup") await backUp(target, second);
  else if (command === "verify-backup") await verify(target, second);
  else if (command === "restore-backup") await restore(target, second);
  else return false;
  return true;
}

async function runCommand(words: readonly string[]): Promise<void> {
  const connection = new Connection(options);
  if (await runOperatorCommand(connection, words)) return;
  if (await runBackupCommand(words)) return;
  const [command, first, second, ...rest] = words;
  if (rest.length > (command === "set-tier" || command === "invite" ? 1 : 0)) fail(USAGE);
  if (command === "show" && first !== undefined && second === undefined) console.log(await admin.account(first));
  else if (command === "set-tier" && first !== undefined && second !== undefined) {
    const [accountId] = rest;
    const body = { tier: second, ...(accountId === undefined ? {} : { accountId }) };
    console.log(await connection.call("PUT", `/admin/accounts/${encodeURIComponent(first)}`, { body }));
  } else if (command === "retry-thumbnails" && second === undefined) {
    console.log(`announced: ${await retryThumbnails(first)}`);
  } else if (command === "invite" && first !== undefined) {
    await invite(first, words.slice(2));
  } else if (command === "invitations" && first === undefined) {
    await showPages(admin.invitations());
  } else if (command === "uninvite" && first !== undefined && second === undefined) {
    console.log(await admin.uninvite(first));
  } else if (command === "failed-thumbnails" && second === undefined) {
    await showPages(admin.failedThumbnails(first));
  } else if (command === "intents" && second === undefined) {
    if (first === undefined) await showPages(admin.intents());
    else await showPages(admin.intentsOf(first));
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
  if (error instanceof Error && !(error instanceof MediaHostError)) fail(`error: ${error.message}`);
  if (!(error instanceof MediaHostError)) throw error;
  const { statusCode, message, details } = error;
  if (statusCode === 0) fail(`error: ${message}`);
  fail(`error: ${statusCode} ${message}${details === undefined ? "" : ` ${JSON.stringify(details)}`}`);
});

/**
 * Opens the target of a backup: `s3://BUCKET/PREFIX`, or a folder. Buckets take the endpoint and the key from the variables that other
 * S3 tools read.
 * @throws Error that names a missing variable
 */
function openTarget(text: string, env: NodeJS.ProcessEnv): Target {
  const place = parseS3Url(text);
  return place === undefined ? openFolder(text) : openS3(readBucketOptions(place.bucket, env), place.prefix);
}
