import { MessageSchema } from "../../contract/common.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { clearSessionCookie } from "../session-cookie.ts";

const route = guarded("session", {
  operationId: "logOut",
  method: "post",
  path: "/auth/logout",
  tags: ["accounts"],
  summary: "End this session",
  responses: { 200: jsonResponse("Logged out", MessageSchema) },
});

export const logOut = createRouter().openapi(route, async (c) => {
  const { principal, meter } = accountOf(c);
  if (principal.kind === "session") await meter.endSession(principal.sessionId);
  clearSessionCookie(c);
  // What the browser keeps of the account's files goes, too.
  c.header("Clear-Site-Data", '"cache"');
  return c.json({ message: "Logged out" }, 200);
});
