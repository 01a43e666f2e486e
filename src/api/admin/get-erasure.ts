import { ErasureSchema } from "../../contract/account.ts";
import { AccountIdParam } from "../../contract/admin.ts";
import { getErasure as find } from "../../services/accounts/get-erasure.ts";
import { toErasureBody } from "../account/to-erasure-body.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "getErasureForOperator",
  method: "get",
  path: "/admin/erasures/{accountId}",
  tags: ["operator"],
  summary: "How the erasure of an account stands",
  request: { params: AccountIdParam },
  responses: { 200: jsonResponse("How it stands", ErasureSchema), ...errorResponses(404) },
});

export const getErasure = createRouter().openapi(route, async (c) =>
  c.json(toErasureBody(await find(c.var.services, c.req.valid("param").accountId)), 200),
);
