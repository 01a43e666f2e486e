import { ReconcileBody, ReconciliationSchema } from "../../contract/reconcile.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toReconciliationBody } from "./to-reconciliation-body.ts";

const route = guarded("admin", {
  operationId: "startReconciliation",
  method: "post",
  path: "/admin/reconcile",
  tags: ["operator"],
  summary: "Compare all stores, as every night",
  description:
    "It goes on by itself; `GET /admin/reconcile` says how far it has come. Where a run is under way, that one goes on as it was begun.",
  request: { body: jsonBody(ReconcileBody) },
  responses: { 200: jsonResponse("The run under way, and the last one", ReconciliationSchema) },
});

export const startReconciliation = createRouter().openapi(route, async (c) =>
  c.json(toReconciliationBody(await c.var.services.reconciler().start(c.req.valid("json").repair)), 200),
);
