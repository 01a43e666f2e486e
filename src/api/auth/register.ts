import { createRoute, z } from "@hono/zod-openapi";
import { register as registerAccount } from "../../services/accounts/register.ts";
import { EmailField, NameField, NewPasswordField } from "../account/account-schema.ts";
import { clientAddress } from "../client-address.ts";
import { openAccess } from "../middleware/open-access.ts";
import { createRouter } from "../router.ts";
import { errorResponses, jsonBody, jsonResponse } from "../schemas.ts";
import { SessionSchema, setSessionCookie, toSessionBody } from "./session-answer.ts";

const Body = z.object({ email: EmailField, password: NewPasswordField, name: NameField.optional() });

const route = createRoute({
  method: "post",
  path: "/auth/register",
  tags: ["accounts"],
  summary: "Open a Free account",
  middleware: openAccess,
  request: { body: jsonBody(Body) },
  responses: {
    201: jsonResponse(
      "The account, logged in; its upload key is shown this once",
      SessionSchema.extend({ uploadKey: z.string() }),
    ),
    ...errorResponses(400, 409, 413, 415),
  },
});

export const register = createRouter().openapi(route, async (c) => {
  const { email, password, name } = c.req.valid("json");
  const { account, session, uploadKey } = await registerAccount(c.var.services, {
    email,
    password,
    name: name ?? null,
    address: clientAddress(c),
  });
  setSessionCookie(c, session);
  return c.json({ ...toSessionBody(session, account), uploadKey }, 201);
});
