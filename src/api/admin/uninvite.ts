import { EmailParam } from "../../contract/admin.ts";
import { MessageSchema } from "../../contract/common.ts";
import { uninvite as takeBack } from "../../services/invitations/uninvite.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "deleteInvitation",
  method: "delete",
  path: "/admin/invitations/{email}",
  tags: ["operator"],
  summary: "Take an invitation back",
  description: "An account that was opened by it stays.",
  request: { params: EmailParam },
  responses: { 200: jsonResponse("Taken back", MessageSchema), ...errorResponses(400, 404) },
});

export const uninvite = createRouter().openapi(route, async (c) => {
  await takeBack(c.var.services, c.req.valid("param").email);
  return c.json({ message: "The invitation was taken back" }, 200);
});
