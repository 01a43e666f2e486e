import type { z } from "@hono/zod-openapi";
import {
  EmailParam,
  InvitationBody,
  type InvitationSchema,
  InvitationsSchema,
  NewInvitationSchema,
} from "../../contract/admin.ts";
import { MessageSchema } from "../../contract/common.ts";
import { OperatorPageQuery } from "../../contract/query-parameters.ts";
import { invite, listInvitations, uninvite } from "../../services/invitations.ts";
import type { Invitation } from "../../services/records.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toPaging, withCursor } from "./operator-page.ts";

/** Invitations to register. */
export const invitations = createRouter();

invitations.openapi(
  guarded("admin", {
    operationId: "listInvitations",
    method: "get",
    path: "/admin/invitations",
    tags: ["operator"],
    summary: "List invitations",
    description: "The list is in the order of e-mails, and has used and expired invitations, too.",
    request: { query: OperatorPageQuery },
    responses: { 200: jsonResponse("A page of invitations", InvitationsSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listInvitations(c.var.services, withCursor(c.req.valid("query")));
    return c.json({ invitations: rows.map(toInvitationBody), ...toPaging(nextCursor) }, 200);
  },
);

invitations.openapi(
  guarded("admin", {
    operationId: "putInvitation",
    method: "put",
    path: "/admin/invitations/{email}",
    tags: ["operator"],
    summary: "Invite an address to open an account",
    description:
      "A link with a code for one account of this address. It is mailed, or in the answer if no mail can be sent or `show` is true. A second invitation replaces the code.",
    request: { params: EmailParam, body: jsonBody(InvitationBody) },
    responses: { 200: jsonResponse("The invitation", NewInvitationSchema), ...errorResponses(409) },
  }),
  async (c) => {
    const { invitation, shown } = await invite(c.var.services, c.req.valid("param").email, c.req.valid("json"));
    const { code = null, url = null } = shown ?? {};
    return c.json({ ...toInvitationBody(invitation), sent: shown === undefined, code, url }, 200);
  },
);

invitations.openapi(
  guarded("admin", {
    operationId: "deleteInvitation",
    method: "delete",
    path: "/admin/invitations/{email}",
    tags: ["operator"],
    summary: "Revoke an invitation",
    description: "An account that was opened with it stays.",
    request: { params: EmailParam },
    responses: { 200: jsonResponse("Revoked", MessageSchema), ...errorResponses(400, 404) },
  }),
  async (c) => {
    await uninvite(c.var.services, c.req.valid("param").email);
    return c.json({ message: "The invitation was revoked" }, 200);
  },
);

function toInvitationBody({ email, createdAt, expiresAt, usedAt }: Invitation): z.infer<typeof InvitationSchema> {
  return {
    email,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    usedAt: usedAt === null ? null : new Date(usedAt).toISOString(),
  };
}
