import { LogInBody, SessionSchema } from "../../contract/account.ts";
import { logIn as logInByPassword } from "../../services/accounts/log-in.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { setSessionCookie } from "../session-cookie.ts";
import { toSessionBody } from "./session-answer.ts";

const route = guarded("password", {
  operationId: "logIn",
  method: "post",
  path: "/auth/login",
  tags: ["accounts"],
  summary: "Log in",
  request: { body: jsonBody(LogInBody) },
  responses: { 200: jsonResponse("A session", SessionSchema) },
});

export const logIn = createRouter().openapi(route, async (c) => {
  const { account, session } = await logInByPassword(c.var.services, c.var.client, c.req.valid("json"));
  setSessionCookie(c, session);
  return c.json(toSessionBody(session, account), 200);
});
