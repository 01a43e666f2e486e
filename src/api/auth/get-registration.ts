import { RegistrationModeSchema } from "../../contract/account.ts";
import { TURNSTILE_ACTION } from "../../domain/registration.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("open", {
  operationId: "getRegistration",
  method: "get",
  path: "/auth/registration",
  tags: ["accounts"],
  summary: "Who may open an account, and what a registration has to bring",
  responses: { 200: jsonResponse("How accounts are opened", RegistrationModeSchema) },
});

export const getRegistration = createRouter().openapi(route, (c) => {
  const { mode, turnstile } = c.var.services.config.registration;
  const widget = turnstile === undefined ? null : { siteKey: turnstile.siteKey, action: TURNSTILE_ACTION };
  return c.json({ mode, turnstile: widget }, 200);
});
