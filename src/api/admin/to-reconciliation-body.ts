import type { z } from "@hono/zod-openapi";
import type { ReconciliationSchema } from "../../contract/reconcile.ts";
import type { Reconciliation, Run } from "../../services/records.ts";

type Body = z.infer<typeof ReconciliationSchema>;

export function toReconciliationBody({ current, last, findings }: Reconciliation): Body {
  return { current: current && toRunBody(current), last: last && toRunBody(last), findings: [...findings] };
}

function toRunBody({ startedAt, finishedAt, repair, accounts, postponed, uploads, objects, found, repaired }: Run) {
  return {
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    ...{ repair, accounts, postponed, uploads, objects, found, repaired },
  };
}
