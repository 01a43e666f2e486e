import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { AlertRaised, EventsDue } from "../../../src/domain/queue-messages.ts";
import { TIERS, type TierName } from "../../../src/domain/tiers.ts";
import worker from "../../../src/worker.ts";
import { meterOf, replaceStores, setUsedTenths } from "../api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount } from "../api/api.ts";

/** Alerts of an account, and their messages as a test delivers them. */

export interface Alert {
  readonly _id: string;
  readonly threshold: number;
  readonly percent: number;
  readonly used: number;
  readonly limit: number;
  readonly resetAt: string;
  readonly createdAt: string;
  readonly deliveries: Record<"webhook" | "email", Delivery | null>;
}

export interface Delivery {
  readonly state: string;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly status: number | null;
  readonly error: string | null;
}

export type AlertMessage = AlertRaised | EventsDue;

/** Replaces the queue in the account's object, so that only the test delivers messages. */
class AlertQueue {
  readonly sent: AlertMessage[] = [];
  isOut = false;

  async sendBatch(messages: Iterable<{ readonly body: AlertMessage }>): Promise<void> {
    if (this.isOut) throw new Error("Queue send failed");
    for (const { body } of messages) this.sent.push(body);
  }
}

export interface AlertedAccount extends TestAccount {
  readonly queue: AlertQueue;
}

export async function openAlerted(
  tier: TierName = "pro",
  stores: Record<string, unknown> = {},
): Promise<AlertedAccount> {
  const account = await openAccount(tier);
  const queue = new AlertQueue();
  await takeQueue(account.id, queue, stores);
  return { ...account, queue };
}

/** An evicted object has lost the queue. */
export async function takeQueue(
  accountId: string,
  queue: AlertQueue,
  stores: Record<string, unknown> = {},
): Promise<void> {
  await meterOf(accountId).read();
  await replaceStores(accountId, { ALERTS: queue, ...stores } as unknown as Partial<Env>);
}

/** Uses this percentage of the account's month, and counts one view on top, which crosses the thresholds. */
export async function usePercent(
  { id, queue }: AlertedAccount,
  percent: number,
  tier: TierName = "pro",
): Promise<void> {
  await setUsedTenths(id, Math.ceil((TIERS[tier].operationsPerMonth * 10 * percent) / 100) - 1);
  await takeQueue(id, queue);
  await view(id);
}

export async function view(accountId: string, count = 1): Promise<void> {
  const views = Array.from({ length: count }, () => ({ id: crypto.randomUUID(), at: Date.now(), resourceId: "x" }));
  await meterOf(accountId).recordViews(views);
}

export async function listAlerts({ token }: Pick<TestAccount, "token">): Promise<Alert[]> {
  const response = await call("/alerts", { headers: bearer(token) });
  if (response.status !== 200) throw new Error(`GET /alerts answered ${response.status}`);
  return (await response.json<{ alerts: Alert[] }>()).alerts;
}

/** Makes everything due that waits for a webhook's receiver. */
const DUE = `UPDATE webhooks SET state = json_set(state,
  '$.queuedUntil', iif(state ->> '$.queuedUntil' IS NULL, NULL, 1),
  '$.retryAt', iif(state ->> '$.retryAt' IS NULL, NULL, 1),
  '$.aside', (SELECT json_group_array(json_set(value, '$.dueAt', 1)) FROM json_each(state, '$.aside')))`;

/** Makes all deliveries due and runs the alarm. @returns the messages that it put into the queue */
export async function ringAlarm({ id, queue }: AlertedAccount): Promise<AlertMessage[]> {
  // The object's own alarm may ring between the steps.
  const before = queue.sent.length;
  await runInDurableObject(meterOf(id), async (_meter, { storage }) => {
    storage.sql.exec("UPDATE alert_deliveries SET due_at = 1 WHERE due_at IS NOT NULL");
    // A run in the queue counts as lost.
    storage.sql.exec(DUE);
    await storage.setAlarm(Date.now() + 3_600_000);
  });
  await runDurableObjectAlarm(meterOf(id));
  return queue.sent.slice(before);
}

/** Waits for the alarm that runs automatically. */
export async function waitForMessages(queue: AlertQueue, count: number): Promise<AlertMessage[]> {
  for (let waited = 0; queue.sent.length < count && waited < 100; waited++)
    await new Promise((done) => setTimeout(done, 50));
  return queue.sent;
}

/** Delivers one message to the Worker's queue handler. */
export async function deliver(
  message: AlertMessage,
  replaced: Record<string, unknown> = {},
  queue = "media-host-alerts",
): Promise<"acked" | "retried"> {
  const batch = createMessageBatch(queue, [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: message as unknown },
  ]);
  await worker.queue(batch, { ...env, ...replaced } as Env);
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return explicitAcks.length === 1 ? "acked" : "retried";
}

export function putWebhook({ token }: Pick<TestAccount, "token">, url: string): Promise<Response> {
  return callJson("PUT", "/settings/webhook", token, { url });
}
