import { EmailParam, TierBody, TierChangedSchema } from "../../contract/admin.ts";
import { setTier as changeTier } from "../../services/accounts/set-tier.ts";
import { toAccountBody } from "../account/to-account-body.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "setTier",
  method: "put",
  path: "/admin/accounts/{email}",
  tags: ["operator"],
  summary: "Move an account to a tier",
  description: "Keys of the other kind stop working, and work again if the tier comes back.",
  request: { params: EmailParam, body: jsonBody(TierBody) },
  responses: {
    200: jsonResponse("The account, and an upload key where one had to be made", TierChangedSchema),
    ...errorResponses(404),
  },
});

export const setTier = createRouter().openapi(route, async (c) => {
  const { account, uploadKey } = await changeTier(c.var.services, c.req.valid("param").email, c.req.valid("json").tier);
  return c.json({ ...toAccountBody(account), ...(uploadKey === undefined ? {} : { uploadKey }) }, 200);
});
