import { EmailParam } from "../../contract/admin.ts";
import { AccountIntentsSchema } from "../../contract/operator.ts";
import { listAccountIntents as list } from "../../services/operator/list-account-intents.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "listAccountIntents",
  method: "get",
  path: "/admin/accounts/{email}/intents",
  tags: ["operator"],
  summary: "An account's changes that are not settled, uploads under way among them",
  request: { params: EmailParam },
  responses: {
    200: jsonResponse("Up to a hundred, those that are due first", AccountIntentsSchema),
    ...errorResponses(400, 404),
  },
});

export const listAccountIntents = createRouter().openapi(route, async (c) => {
  const { accountId, intents } = await list(c.var.services, c.req.valid("param").email);
  return c.json(
    {
      accountId,
      intents: intents.map(({ dueAt, ...intent }) => ({ ...intent, dueAt: new Date(dueAt).toISOString() })),
    },
    200,
  );
});
