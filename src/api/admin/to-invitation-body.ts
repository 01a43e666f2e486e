import type { z } from "@hono/zod-openapi";
import type { InvitationSchema } from "../../contract/admin.ts";
import type { Invitation } from "../../services/records.ts";

export function toInvitationBody({
  email,
  createdAt,
  expiresAt,
  usedAt,
}: Invitation): z.infer<typeof InvitationSchema> {
  return {
    email,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    usedAt: usedAt === null ? null : new Date(usedAt).toISOString(),
  };
}
