import { ErasureSchema, ReceiptParam } from "../../contract/account.ts";
import { getErasureByReceipt } from "../../services/accounts/get-erasure.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toErasureBody } from "./to-erasure-body.ts";

const route = guarded("open", {
  operationId: "getErasure",
  method: "get",
  path: "/erasures/{receipt}",
  tags: ["accounts"],
  summary: "How the erasure of an account stands",
  description: "The receipt is in the answer of `DELETE /account`. It is known for 35 days after the erasure.",
  request: { params: ReceiptParam },
  responses: { 200: jsonResponse("How it stands", ErasureSchema), ...errorResponses(404) },
});

export const getErasure = createRouter().openapi(route, async (c) =>
  c.json(toErasureBody(await getErasureByReceipt(c.var.services, c.req.valid("param").receipt)), 200),
);
