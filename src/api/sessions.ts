import type { z } from "@hono/zod-openapi";
import { IdParam, MessageSchema } from "../contract/common.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import { type ListedSessionSchema, SessionListSchema } from "../contract/session.ts";
import type { StoredSession } from "../services/records.ts";
import { endSession, listSessions } from "../services/sessions/sessions.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const sessions = createRouter();

sessions.openapi(
  guarded("session", {
    operationId: "listSessions",
    method: "get",
    path: "/sessions",
    tags: ["accounts"],
    summary: "The sessions that are open",
    description: "Every log-in opens a session, which ends at `expiresAt`.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The sessions, newest first", SessionListSchema) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { principal } = account;
    const currentId = principal.kind === "session" ? principal.sessionId : undefined;
    const { rows, nextCursor } = await listSessions(account, c.req.valid("query"));
    const sessions = rows.map((session) => toSessionBody(session, currentId));
    return c.json({ sessions, pagination: { nextCursor } }, 200);
  },
);

function toSessionBody(
  { id, device, address, createdAt, seenAt, expiresAt }: StoredSession,
  currentId: string | undefined,
): z.infer<typeof ListedSessionSchema> {
  return {
    _id: id,
    device,
    address,
    createdAt: new Date(createdAt).toISOString(),
    lastSeenAt: new Date(Math.max(seenAt, createdAt)).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    isCurrent: id === currentId,
  };
}

sessions.openapi(
  guarded("session", {
    operationId: "deleteSession",
    method: "delete",
    path: "/sessions/{id}",
    tags: ["accounts"],
    summary: "End a session",
    description: "Its token is refused from then on.",
    request: { params: IdParam },
    responses: { 200: jsonResponse("Ended", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await endSession(accountOf(c), c.req.valid("param").id);
    return c.json({ message: "Session ended" }, 200);
  },
);
