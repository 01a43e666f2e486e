import { createRoute, z } from "@hono/zod-openapi";
import { logIn as logInByPassword } from "../../services/accounts/log-in.ts";
import { EmailField, PasswordField } from "../account/account-schema.ts";
import { clientAddress } from "../client-address.ts";
import { openAccess } from "../middleware/open-access.ts";
import { createRouter } from "../router.ts";
import { errorResponses, jsonBody, jsonResponse } from "../schemas.ts";
import { SessionSchema, setSessionCookie, toSessionBody } from "./session-answer.ts";

const route = createRoute({
  method: "post",
  path: "/auth/login",
  tags: ["accounts"],
  summary: "Log in",
  middleware: openAccess,
  request: { body: jsonBody(z.object({ email: EmailField, password: PasswordField })) },
  responses: { 200: jsonResponse("A session", SessionSchema), ...errorResponses(400, 401, 413, 415) },
});

export const logIn = createRouter().openapi(route, async (c) => {
  const { account, session } = await logInByPassword(c.var.services, {
    ...c.req.valid("json"),
    address: clientAddress(c),
  });
  setSessionCookie(c, session);
  return c.json(toSessionBody(session, account), 200);
});
