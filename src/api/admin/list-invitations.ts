import { InvitationsQuery, InvitationsSchema } from "../../contract/admin.ts";
import { listInvitations as list } from "../../services/invitations/list-invitations.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toInvitationBody } from "./to-invitation-body.ts";

const route = guarded("admin", {
  operationId: "listInvitations",
  method: "get",
  path: "/admin/invitations",
  tags: ["operator"],
  summary: "Who was invited",
  description: "By address, a hundred an answer; used and expired ones, too.",
  request: { query: InvitationsQuery },
  responses: { 200: jsonResponse("A page of invitations", InvitationsSchema) },
});

export const listInvitations = createRouter().openapi(route, async (c) => {
  const { invitations, next } = await list(c.var.services, c.req.valid("query").after);
  return c.json({ invitations: invitations.map(toInvitationBody), next }, 200);
});
