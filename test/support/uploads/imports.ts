import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ImportDue } from "../../../src/domain/queue-messages.ts";
import type { TierName } from "../../../src/domain/tiers.ts";
import worker from "../../../src/worker.ts";
import { meterOf, replaceStores } from "../api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount } from "../api/api.ts";

/** Imports of an account, and their messages as a test delivers them. */

export interface ListedImport {
  readonly _id: string;
  readonly total: number;
  readonly counts: Record<"pending" | "running" | "done" | "failed" | "cancelled", number>;
  readonly createdAt: string;
  readonly stoppedAt: string | null;
  readonly endedAt: string | null;
}

export interface ListedItem {
  readonly number: number;
  readonly url: string;
  readonly state: string;
  readonly attempts: number;
  readonly uploadId: string | null;
  readonly error: { readonly code: string; readonly details?: Record<string, unknown> } | null;
}

export interface ShownImport extends ListedImport {
  readonly items: ListedItem[];
  readonly pagination: { readonly nextCursor: string | null };
}

/** Takes the place of the queue, so that only the test delivers messages. */
export class ImportQueue {
  sent: ImportDue[] = [];

  async send(body: ImportDue): Promise<void> {
    this.sent.push(body);
  }

  async sendBatch(messages: Iterable<{ readonly body: ImportDue }>): Promise<void> {
    for (const { body } of messages) this.sent.push(body);
  }
}

export interface ImportingAccount extends TestAccount {
  readonly queue: ImportQueue;
}

export async function openImporting(tier: TierName = "free"): Promise<ImportingAccount> {
  const account = await openAccount(tier);
  const queue = new ImportQueue();
  await takeImports(account.id, queue);
  return { ...account, queue };
}

/** An evicted object has lost the queue. */
export async function takeImports(accountId: string, queue: ImportQueue): Promise<void> {
  await meterOf(accountId).read();
  await replaceStores(accountId, { IMPORTS: queue } as unknown as Partial<Env>);
}

/** Creates an import. @returns its id */
export async function importUrls(token: string, items: readonly (string | object)[]): Promise<string> {
  const body = { items: items.map((item) => (typeof item === "string" ? { url: item } : item)) };
  const response = await callJson("POST", "/images/import", token, body);
  if (response.status !== 202) throw new Error(`POST /images/import: ${response.status} ${await response.text()}`);
  return (await response.json<{ _id: string }>())._id;
}

export async function showImport(token: string, id: string, query = ""): Promise<ShownImport> {
  const response = await call(`/imports/${id}${query}`, { headers: bearer(token) });
  if (response.status !== 200) throw new Error(`GET /imports/${id}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Delivers one message to the Worker's queue handler. */
export async function deliverImport(
  { id, queue }: ImportingAccount,
  replaced: Record<string, unknown> = {},
): Promise<"acked" | "retried"> {
  const body = { type: "import.due", accountId: id } satisfies ImportDue;
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: body as unknown };
  const batch = createMessageBatch("media-host-imports", [message]);
  await worker.queue(batch, { ...env, IMPORTS: queue, ...replaced } as unknown as Env);
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return explicitAcks.length === 1 ? "acked" : "retried";
}

/** Delivers messages at the same time. @returns the number of handled messages, and their end */
export function deliverMany(accounts: readonly ImportingAccount[]) {
  const delivered = { handled: 0 };
  const all = accounts.map(async (account) => {
    if ((await deliverImport(account)) !== "acked") throw new Error("A message was retried");
    delivered.handled += 1;
  });
  return { delivered, ended: Promise.all(all) };
}

/** Makes the items due that wait for another attempt. */
export async function makeItemsDue({ id }: Pick<TestAccount, "id">): Promise<void> {
  await runInDurableObject(meterOf(id), (_meter, { storage }) => {
    storage.sql.exec("UPDATE import_items SET due_at = 1 WHERE due_at IS NOT NULL");
  });
}

/** Rings the object's alarm. @returns the number of messages that it sent */
export async function ringForImports({ id, queue }: ImportingAccount): Promise<number> {
  const before = queue.sent.length;
  await runInDurableObject(meterOf(id), async (_meter, { storage }) => storage.setAlarm(Date.now() + 3_600_000));
  await runDurableObjectAlarm(meterOf(id));
  return queue.sent.length - before;
}

/** Lets one runner work until every item has ended, however often attempts are repeated. */
export async function runToEnd(account: ImportingAccount, id: string): Promise<ShownImport> {
  for (let round = 0; round < 10; round++) {
    if ((await deliverImport(account)) !== "acked") throw new Error("A message was retried");
    const shown = await showImport(account.token, id, "?limit=100");
    if (shown.endedAt !== null) return shown;
    await makeItemsDue(account);
  }
  throw new Error("The import does not end");
}
