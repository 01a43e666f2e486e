import { AdminAccountSchema, EmailParam } from "../../contract/admin.ts";
import { toOperations } from "../../domain/operations.ts";
import { showAccount } from "../../services/accounts/show-account.ts";
import { toAccountBody } from "../account/to-account-body.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "getAccountForOperator",
  method: "get",
  path: "/admin/accounts/{email}",
  tags: ["operator"],
  summary: "An account and its figures",
  request: { params: EmailParam },
  responses: { 200: jsonResponse("The account", AdminAccountSchema), ...errorResponses(400, 404) },
});

export const getAccount = createRouter().openapi(route, async (c) => {
  const { account, figures } = await showAccount(c.var.services, c.req.valid("param").email);
  return c.json(
    {
      ...toAccountBody(account),
      operations: {
        used: toOperations(figures.operationsUsedTenths),
        limit: figures.operationsLimit,
        resetAt: new Date(figures.operationsResetAt).toISOString(),
      },
      storage: { used: figures.storageUsedBytes, limit: figures.storageLimitBytes },
      shard: account.shard,
    },
    200,
  );
});
