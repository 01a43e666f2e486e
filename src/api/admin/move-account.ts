import { EmailParam, MoveBody, MoveProgressSchema } from "../../contract/admin.ts";
import { moveAccount as move } from "../../services/shards/move-account.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "moveAccount",
  method: "post",
  path: "/admin/accounts/{email}/move",
  tags: ["operator"],
  summary: "Move an account's library to another shard",
  description:
    "Goes on for some seconds; call it again while it says `moving`. Files and lists are there as before, changes wait. What was begun is finished, also where nobody calls again.",
  request: { params: EmailParam, body: jsonBody(MoveBody) },
  responses: { 200: jsonResponse("How it stands", MoveProgressSchema), ...errorResponses(404) },
});

export const moveAccount = createRouter().openapi(route, async (c) => {
  const progress = await move(c.var.services, c.req.valid("param").email, c.req.valid("json").shard);
  return c.json(progress, 200);
});
