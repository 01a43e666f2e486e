import { EmailParam } from "../../contract/admin.ts";
import { ReconcileAccountBody, ReconciledAccountSchema } from "../../contract/reconcile.ts";
import { reconcileAccount as reconcile } from "../../services/reconcile/reconcile-account.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "reconcileAccount",
  method: "post",
  path: "/admin/accounts/{email}/reconcile",
  tags: ["operator"],
  summary: "Compare what the stores have of one account",
  description: "Goes on for some seconds; go on with `next`.",
  request: { params: EmailParam, body: jsonBody(ReconcileAccountBody) },
  responses: { 200: jsonResponse("What was found", ReconciledAccountSchema), ...errorResponses(404) },
});

export const reconcileAccount = createRouter().openapi(route, async (c) => {
  const { findings, next } = await reconcile(c.var.services, c.req.valid("param").email, c.req.valid("json"));
  return c.json({ findings: [...findings], next }, 200);
});
