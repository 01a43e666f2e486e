import { createRoute, z } from "@hono/zod-openapi";
import { TIER_NAMES } from "../../domain/tiers.ts";
import { setTier as changeTier } from "../../services/accounts/set-tier.ts";
import { AccountSchema, toAccountBody } from "../account/account-schema.ts";
import { requireAdmin } from "../middleware/require-admin.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonBody, jsonResponse } from "../schemas.ts";
import { EmailParam } from "./admin-account.ts";

const route = createRoute({
  method: "put",
  path: "/admin/accounts/{email}",
  tags: ["operator"],
  summary: "Move an account to a tier",
  description: "Keys of the other kind stop working, and work again if the tier comes back.",
  security: bearer("admin"),
  middleware: requireAdmin,
  request: { params: EmailParam, body: jsonBody(z.object({ tier: z.enum(TIER_NAMES) })) },
  responses: {
    200: jsonResponse(
      "The account, and an upload key where one had to be made",
      AccountSchema.extend({ uploadKey: z.string().optional() }),
    ),
    ...errorResponses(400, 401, 404, 413, 415),
  },
});

export const setTier = createRouter().openapi(route, async (c) => {
  const { account, uploadKey } = await changeTier(c.var.services, c.req.valid("param").email, c.req.valid("json").tier);
  return c.json({ ...toAccountBody(account), ...(uploadKey === undefined ? {} : { uploadKey }) }, 200);
});
