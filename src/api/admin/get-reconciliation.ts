import { ReconciliationSchema } from "../../contract/reconcile.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toReconciliationBody } from "./to-reconciliation-body.ts";

const route = guarded("admin", {
  operationId: "getReconciliation",
  method: "get",
  path: "/admin/reconcile",
  tags: ["operator"],
  summary: "What the last comparison of the stores found",
  responses: { 200: jsonResponse("The run under way, and the last one", ReconciliationSchema) },
});

export const getReconciliation = createRouter().openapi(route, async (c) =>
  c.json(toReconciliationBody(await c.var.services.reconciler().read()), 200),
);
