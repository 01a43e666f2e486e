import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import type { EventType } from "../../../src/domain/events.ts";
import { type AlertedAccount, deliver, openAlerted, ringAlarm } from "../alerts/alerts.ts";
import { meterOf } from "../api/account-state.ts";
import { bearer, call, callJson, type TestAccount } from "../api/api.ts";

/** Events of an account, and the runs of its webhooks as a test delivers them. */

export interface ShownEvent {
  readonly _id: string;
  readonly type: EventType;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

export interface ShownPage {
  readonly events: ShownEvent[];
  readonly pagination: { readonly nextCursor: string | null };
  readonly resumeCursor: string;
}

export async function readEvents(
  { token }: Pick<TestAccount, "token">,
  query: Record<string, string> = {},
): Promise<ShownPage> {
  const response = await call(`/events?${new URLSearchParams(query)}`, { headers: bearer(token) });
  if (response.status !== 200) throw new Error(`GET /events answered ${response.status} ${await response.text()}`);
  return response.json<ShownPage>();
}

export const typesOf = ({ events }: ShownPage) => events.map(({ type }) => type);

export const HOOK = "https://hooks.example.com/shop";

export interface NamedWebhook {
  readonly name: string;
  readonly state: string;
  readonly secret: string;
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
  readonly nextAttemptAt: string | null;
}

export function putNamed(
  { token }: Pick<TestAccount, "token">,
  name: string,
  body: { url?: string; events?: readonly string[] } = {},
): Promise<Response> {
  const { url = HOOK, events = ["upload.completed", "image.updated", "image.trashed", "image.deleted"] } = body;
  return callJson("PUT", `/settings/webhooks/${name}`, token, { url, events });
}

export async function showNamed({ token }: Pick<TestAccount, "token">, name = "shop"): Promise<NamedWebhook> {
  return (await call(`/settings/webhooks/${name}`, { headers: bearer(token) })).json();
}

export interface ShownDelivery {
  readonly _id: string;
  readonly eventId: string;
  readonly type: string;
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string;
  readonly request: { readonly url: string; readonly body: ShownEvent | null };
}

export async function listDeliveries({ token }: Pick<TestAccount, "token">, name = "shop"): Promise<ShownDelivery[]> {
  const response = await call(`/settings/webhooks/${name}/deliveries`, { headers: bearer(token) });
  return (await response.json<{ deliveries: ShownDelivery[] }>()).deliveries;
}

/** An account with the webhook `shop`, whose queue only the test delivers. */
export async function openHooked(
  body: Parameters<typeof putNamed>[2] = {},
  tier: "free" | "pro" = "pro",
): Promise<AlertedAccount & { readonly secret: string }> {
  const account = await openAlerted(tier);
  const response = await putNamed(account, "shop", body);
  if (response.status !== 200) throw new Error(`The webhook was not stored: ${await response.text()}`);
  const { secret } = await response.json<{ secret: string }>();
  return { ...account, secret };
}

/** Makes everything due, and delivers the runs until none is left. @returns the number of runs */
export async function deliverAll(account: AlertedAccount): Promise<number> {
  for (let runs = 0; ; ) {
    const messages = await ringAlarm(account);
    if (messages.length === 0) return runs;
    for (const message of messages) await deliver(message);
    runs += messages.length;
  }
}

/** Delivers the runs that are due, once. */
export async function deliverDue(account: AlertedAccount): Promise<number> {
  const messages = await ringAlarm(account);
  for (const message of messages) await deliver(message);
  return messages.length;
}

/** Makes the events old, as if their requests had died some time ago. */
export async function ageEvents(accountId: string, ms: number): Promise<void> {
  await runInDurableObject(meterOf(accountId), async (_meter, { storage }) => {
    const rows = storage.sql.exec<{ first: number; lines: string }>("SELECT first, lines FROM event_pages").toArray();
    for (const { first, lines } of rows) {
      const aged = lines.split("\n").map((line) => {
        const event = JSON.parse(line) as { at: number } | null;
        return JSON.stringify(event && { ...event, at: event.at - ms });
      });
      storage.sql.exec("UPDATE event_pages SET lines = ?, at = at - ? WHERE first = ?", aged.join("\n"), ms, first);
    }
    await storage.setAlarm(Date.now() + 3_600_000);
  });
}

export function alarm(accountId: string): Promise<boolean> {
  return runDurableObjectAlarm(meterOf(accountId));
}

export function countPages(accountId: string): Promise<number> {
  return runInDurableObject(
    meterOf(accountId),
    (_meter, { storage }) => storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM event_pages").one().n,
  );
}
