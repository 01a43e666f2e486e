import { z } from "@hono/zod-openapi";
import { AccountSchema, EmailField } from "../account/account-schema.ts";

export const EmailParam = z.object({
  email: EmailField.openapi({ param: { name: "email", in: "path" }, example: "person@example.com" }),
});

export const AdminAccountSchema = AccountSchema.extend({
  operations: z.object({ used: z.number(), limit: z.number(), resetAt: z.string().datetime() }),
  storage: z.object({ used: z.number().int(), limit: z.number().int() }),
}).openapi("AdminAccount");
