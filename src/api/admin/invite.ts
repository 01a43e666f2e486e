import { EmailParam, InvitationBody, InvitationSchema } from "../../contract/admin.ts";
import { invite as inviteEmail } from "../../services/invitations/invite.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toInvitationBody } from "./to-invitation-body.ts";

const route = guarded("admin", {
  operationId: "putInvitation",
  method: "put",
  path: "/admin/invitations/{email}",
  tags: ["operator"],
  summary: "Invite an address to open an account",
  description: "Good for one account, where registration is by invitation. Inviting again renews the time.",
  request: { params: EmailParam, body: jsonBody(InvitationBody) },
  responses: { 200: jsonResponse("The invitation", InvitationSchema), ...errorResponses(409) },
});

export const invite = createRouter().openapi(route, async (c) => {
  const { days } = c.req.valid("json");
  return c.json(toInvitationBody(await inviteEmail(c.var.services, c.req.valid("param").email, days)), 200);
});
