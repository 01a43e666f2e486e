import { retryStub } from "../../isolate/calls.ts";
import type { MeterContext } from "../account/context.ts";
import { SERVICE_METER_NAME } from "../service/service-meter.ts";
import type { IntentRetry, IntentSummary } from "./outcomes.ts";

/** Lists the account's open intents by id. @param afterId only intents after this one */
export function listIntents({ tables, overdue }: MeterContext, limit: number, afterId?: string): IntentSummary[] {
  return tables.intents.list(limit, afterId).map(({ id, intent, dueAt, attempts }) => ({
    id,
    kind: intent.kind,
    dueAt,
    attempts,
    reason: overdue.reasonOf(id) ?? null,
  }));
}

/** Replays an overdue intent at once, and reports the result to the operator's listing. */
export async function retryIntent(context: MeterContext, id: string): Promise<IntentRetry> {
  const { name, tables, runner, overdue } = context;
  const accountId = tables.ledger.exists ? tables.ledger.accountId : name;
  const stored = tables.intents.find(id);
  if (stored !== undefined && stored.attempts === 0 && stored.dueAt > Date.now()) return { outcome: "under-way" };
  if (stored !== undefined) await runner.replayNow(id);
  // An intent that this object does not know is reported, too, because the listing may still contain it.
  if (accountId !== undefined) await reportOverdue(context, accountId);
  const reason = tables.intents.find(id) === undefined ? undefined : overdue.reasonOf(id);
  if (reason !== undefined) return { outcome: "failed", reason };
  return { outcome: stored === undefined ? "gone" : "done" };
}

/** Reports the account's overdue intents to the service's meter. */
export async function reportOverdue({ env, tables, overdue }: MeterContext, accountId: string): Promise<void> {
  const service = retryStub(() => env.SERVICE_METER.getByName(SERVICE_METER_NAME));
  await overdue.report(
    (id) => tables.intents.find(id),
    (intents) => service.reportIntents(accountId, intents),
  );
}
