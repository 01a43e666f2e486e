import { createRoute } from "@hono/zod-openapi";
import { toOperations } from "../../domain/operations.ts";
import { showAccount } from "../../services/accounts/show-account.ts";
import { toAccountBody } from "../account/account-schema.ts";
import { requireAdmin } from "../middleware/require-admin.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { AdminAccountSchema, EmailParam } from "./admin-account.ts";

const route = createRoute({
  method: "get",
  path: "/admin/accounts/{email}",
  tags: ["operator"],
  summary: "An account and its figures",
  security: bearer("admin"),
  middleware: requireAdmin,
  request: { params: EmailParam },
  responses: { 200: jsonResponse("The account", AdminAccountSchema), ...errorResponses(400, 401, 404) },
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
    },
    200,
  );
});
