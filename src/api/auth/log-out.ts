import { createRoute } from "@hono/zod-openapi";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse, MessageSchema } from "../schemas.ts";
import { clearSessionCookie } from "./session-answer.ts";

const route = createRoute({
  method: "post",
  path: "/auth/logout",
  tags: ["accounts"],
  summary: "End this session",
  security: bearer("session"),
  middleware: requireAccess("session"),
  responses: { 200: jsonResponse("Logged out", MessageSchema), ...errorResponses(401, 403) },
});

export const logOut = createRouter().openapi(route, async (c) => {
  const { principal, meter } = accountOf(c);
  if (principal.kind === "session") await meter.endSession(principal.sessionId);
  clearSessionCookie(c);
  return c.json({ message: "Logged out" }, 200);
});
