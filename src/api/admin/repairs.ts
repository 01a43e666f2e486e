import type { z } from "@hono/zod-openapi";
import {
  EmailParam,
  OrderedPlaceholdersSchema,
  PlaceholdersBody,
  RetriedThumbnailsSchema,
  RetryThumbnailsBody,
} from "../../contract/admin.ts";
import {
  AccountIntentsSchema,
  DeadLettersSchema,
  FailedThumbnailsQuery,
  FailedThumbnailsSchema,
  LettersBody,
  LettersChangedSchema,
  OverdueIntentsSchema,
  RetriedIntentSchema,
  RetryIntentBody,
} from "../../contract/operator.ts";
import { OperatorPageQuery, PageQuery } from "../../contract/query-parameters.ts";
import {
  ReconcileAccountBody,
  ReconcileBody,
  ReconciledAccountSchema,
  ReconciliationSchema,
} from "../../contract/reconcile.ts";
import { dropDeadLetters, listDeadLetters, resendDeadLetters } from "../../services/operator/dead-letters.ts";
import { listAccountIntents, listOverdueIntents, retryIntent } from "../../services/operator/intents.ts";
import { orderPlaceholders } from "../../services/placeholders/order-placeholders.ts";
import { reconcileAccount } from "../../services/reconcile/reconcile-account.ts";
import type { ReconcileRun, Reconciliation } from "../../services/records.ts";
import { listFailedThumbnails } from "../../services/thumbnails/list-failed-thumbnails.ts";
import { retryThumbnails } from "../../services/thumbnails/retry-thumbnails.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toPaging, withCursor } from "./operator-page.ts";

/** Work that failed and is tried again: intents, messages of queues, thumbnails; placeholders of older uploads; and reconciliation of the stores. */
export const repairs = createRouter();

repairs.openapi(
  guarded("operator", {
    operationId: "listOverdueIntents",
    method: "get",
    path: "/admin/intents",
    tags: ["operator"],
    summary: "Unfinished changes whose replay failed, of all accounts",
    description:
      "Their accounts' objects keep retrying, at least once an hour. A settled change leaves the list at its object's next check.",
    request: { query: OperatorPageQuery },
    responses: { 200: jsonResponse("A page", OverdueIntentsSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listOverdueIntents(c.var.services, withCursor(c.req.valid("query")));
    const intents = rows.map(({ accountId, id, kind, attempts, failedAt, nextAt, reason }) => ({
      accountId,
      id,
      kind,
      attempts,
      reason,
      failedAt: new Date(failedAt).toISOString(),
      nextAt: new Date(nextAt).toISOString(),
    }));
    return c.json({ intents, ...toPaging(nextCursor) }, 200);
  },
);

repairs.openapi(
  guarded("operator", {
    operationId: "listAccountIntents",
    method: "get",
    path: "/admin/accounts/{email}/intents",
    tags: ["operator"],
    summary: "An account's unsettled changes, including uploads in progress",
    description: "A change is unsettled until every store has it.",
    request: { params: EmailParam, query: PageQuery },
    responses: {
      200: jsonResponse("A page, by id", AccountIntentsSchema),
      ...errorResponses(400, 404),
    },
  }),
  async (c) => {
    const { email } = c.req.valid("param");
    const { accountId, rows, nextCursor } = await listAccountIntents(c.var.services, email, c.req.valid("query"));
    const intents = rows.map(({ dueAt, ...intent }) => ({ ...intent, dueAt: new Date(dueAt).toISOString() }));
    return c.json({ accountId, intents, pagination: { nextCursor } }, 200);
  },
);

repairs.openapi(
  guarded("operator", {
    operationId: "retryIntent",
    method: "post",
    path: "/admin/intents/retry",
    tags: ["operator"],
    summary: "Complete or undo an overdue change now",
    description: "The alarm of the account's object tries again too; this does it at once.",
    request: { body: jsonBody(RetryIntentBody) },
    responses: { 200: jsonResponse("The outcome", RetriedIntentSchema) },
  }),
  async (c) => c.json(await retryIntent(c.var.services, c.req.valid("json")), 200),
);

repairs.openapi(
  guarded("operator", {
    operationId: "listDeadLetters",
    method: "get",
    path: "/admin/dead-letters",
    tags: ["operator"],
    summary: "Messages that the dead-letter queues failed to deliver",
    description: "They are retried for 3.5 days; then they are given up and stay listed here.",
    request: { query: OperatorPageQuery },
    responses: { 200: jsonResponse("A page, oldest first", DeadLettersSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listDeadLetters(c.var.services, withCursor(c.req.valid("query")));
    const letters = rows.map(({ id, queue, type, state, attempts, failedAt, nextAt, reason }) => ({
      id,
      queue,
      type,
      state,
      attempts,
      reason,
      failedAt: new Date(failedAt).toISOString(),
      nextAt: nextAt === null ? null : new Date(nextAt).toISOString(),
    }));
    return c.json({ letters, ...toPaging(nextCursor) }, 200);
  },
);

repairs.openapi(
  guarded("operator", {
    operationId: "retryDeadLetters",
    method: "post",
    path: "/admin/dead-letters/retry",
    tags: ["operator"],
    summary: "Send dead letters again",
    description: "They go to their original queues. Duplicates count once.",
    request: { body: jsonBody(LettersBody) },
    responses: { 200: jsonResponse("Letters that were found", LettersChangedSchema) },
  }),
  async (c) => c.json({ letters: await resendDeadLetters(c.var.services, c.req.valid("json").ids) }, 200),
);

repairs.openapi(
  guarded("operator", {
    operationId: "dropDeadLetters",
    method: "post",
    path: "/admin/dead-letters/drop",
    tags: ["operator"],
    summary: "Drop dead letters permanently",
    description:
      "Copies that their queue still has are not handled. Dropped views are never counted; `POST /admin/thumbnails/retry` can make dropped thumbnails.",
    request: { body: jsonBody(LettersBody) },
    responses: { 200: jsonResponse("Letters that were found", LettersChangedSchema) },
  }),
  async (c) => c.json({ letters: await dropDeadLetters(c.var.services, c.req.valid("json").ids) }, 200),
);

repairs.openapi(
  guarded("admin", {
    operationId: "listFailedThumbnails",
    method: "get",
    path: "/admin/thumbnails/failed",
    tags: ["operator"],
    summary: "Videos that will have no thumbnail, and why",
    description:
      "A call reads at most fifty accounts, so a page may be empty and not the last. `POST /admin/thumbnails/retry` makes thumbnails again.",
    request: { query: FailedThumbnailsQuery },
    responses: { 200: jsonResponse("A page, of one account", FailedThumbnailsSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const query = withCursor(c.req.valid("query"));
    const { thumbnails, nextCursor } = await listFailedThumbnails(c.var.services, query);
    return c.json({ thumbnails, ...toPaging(nextCursor) }, 200);
  },
);

repairs.openapi(
  guarded("admin", {
    operationId: "retryThumbnails",
    method: "post",
    path: "/admin/thumbnails/retry",
    tags: ["operator"],
    summary: "Make missing thumbnails again",
    description:
      "Announces videos without a thumbnail again, up to a hundred a call, including videos whose thumbnail was impossible. Continue with `pagination.nextCursor`.",
    request: { body: jsonBody(RetryThumbnailsBody) },
    responses: { 200: jsonResponse("Announced videos", RetriedThumbnailsSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { announced, nextCursor } = await retryThumbnails(c.var.services, withCursor(c.req.valid("json")));
    return c.json({ announced, ...toPaging(nextCursor) }, 200);
  },
);

repairs.openapi(
  guarded("admin", {
    operationId: "orderPlaceholders",
    method: "post",
    path: "/admin/placeholders",
    tags: ["operator"],
    summary: "Make the placeholders of older uploads",
    description:
      "Announces images, and videos with a thumbnail, that have no placeholder, up to a hundred a call. Continue with `pagination.nextCursor`. Files that cannot be decoded are not announced again.",
    request: { body: jsonBody(PlaceholdersBody) },
    responses: { 200: jsonResponse("Announced uploads", OrderedPlaceholdersSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { announced, nextCursor } = await orderPlaceholders(c.var.services, withCursor(c.req.valid("json")));
    return c.json({ announced, ...toPaging(nextCursor) }, 200);
  },
);

repairs.openapi(
  guarded("admin", {
    operationId: "startReconciliation",
    method: "post",
    path: "/admin/reconcile",
    tags: ["operator"],
    summary: "Compare all stores, as every night",
    description:
      "The run continues in the background; `GET /admin/reconcile` shows its progress. A run in progress continues unchanged.",
    request: { body: jsonBody(ReconcileBody) },
    responses: { 200: jsonResponse("The current run and the last one", ReconciliationSchema) },
  }),
  async (c) => c.json(toReconciliationBody(await c.var.services.reconciler().start(c.req.valid("json").repair)), 200),
);

repairs.openapi(
  guarded("admin", {
    operationId: "getReconciliation",
    method: "get",
    path: "/admin/reconcile",
    tags: ["operator"],
    summary: "Findings of the last comparison of the stores",
    description: "Differences between D1, R2 and the accounts' objects, with their repairs.",
    responses: { 200: jsonResponse("The current run and the last one", ReconciliationSchema) },
  }),
  async (c) => c.json(toReconciliationBody(await c.var.services.reconciler().read()), 200),
);

repairs.openapi(
  guarded("admin", {
    operationId: "reconcileAccount",
    method: "post",
    path: "/admin/accounts/{email}/reconcile",
    tags: ["operator"],
    summary: "Compare one account's records in all stores",
    description: "Takes some seconds; continue with `pagination.nextCursor`.",
    request: { params: EmailParam, body: jsonBody(ReconcileAccountBody) },
    responses: { 200: jsonResponse("The findings", ReconciledAccountSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { email } = c.req.valid("param");
    const { findings, nextCursor } = await reconcileAccount(c.var.services, email, withCursor(c.req.valid("json")));
    return c.json({ findings: [...findings], ...toPaging(nextCursor) }, 200);
  },
);

type Body = z.infer<typeof ReconciliationSchema>;

function toReconciliationBody({ current, last, findings }: Reconciliation): Body {
  return { current: current && toRunBody(current), last: last && toRunBody(last), findings: [...findings] };
}

function toRunBody({
  startedAt,
  finishedAt,
  repair,
  accounts,
  postponed,
  uploads,
  objects,
  found,
  repaired,
}: ReconcileRun) {
  return {
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    repair,
    accounts,
    postponed,
    uploads,
    objects,
    found,
    repaired,
  };
}
