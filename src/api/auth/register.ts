import { RegisterBody, RegisteredSchema } from "../../contract/account.ts";
import { register as registerAccount } from "../../services/accounts/register.ts";
import { guarded } from "../guarded.ts";
import { isFromOperator } from "../middleware/require-admin.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { setSessionCookie } from "../session-cookie.ts";
import { toSessionBody } from "./session-answer.ts";

const route = guarded("open", {
  operationId: "registerAccount",
  method: "post",
  path: "/auth/register",
  tags: ["accounts"],
  summary: "Open a Free account",
  description:
    "An address may try so often in an hour. Where registration is closed, by invitation, or asks for Turnstile (`GET /auth/registration`), the rest is 403. What bears the operator's token is neither counted nor refused.",
  request: { body: jsonBody(RegisterBody) },
  responses: {
    201: jsonResponse("The account, logged in; its upload key is shown this once", RegisteredSchema),
    ...errorResponses(403, 409),
  },
});

export const register = createRouter().openapi(route, async (c) => {
  const { email, password, name, turnstileToken } = c.req.valid("json");
  const { hostname } = new URL(c.req.url);
  const { account, session, uploadKey } = await registerAccount(c.var.services, {
    email,
    password,
    name: name ?? null,
    applicant: (await isFromOperator(c)) ? undefined : { address: c.var.client.address, hostname, turnstileToken },
  });
  setSessionCookie(c, session);
  return c.json({ ...toSessionBody(session, account), uploadKey }, 201);
});
