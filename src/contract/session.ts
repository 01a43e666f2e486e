import { z } from "@hono/zod-openapi";
import { PasswordField } from "./account.ts";
import { PasskeyAnswerField } from "./passkey.ts";
import { NextPageSchema } from "./query-parameters.ts";
import { CodeField } from "./totp.ts";

export const ListedSessionSchema = z
  .object({
    _id: z.string(),
    device: z.string().openapi({ description: "For people, from the `User-Agent`", example: "Firefox on Windows" }),
    address: z.string().openapi({
      description: "The network address of the last use; the first 64 bits of an IPv6 address. Empty if unknown",
    }),
    createdAt: z.string().datetime(),
    lastSeenAt: z.string().datetime().openapi({ description: "Exact to ten minutes" }),
    expiresAt: z.string().datetime(),
    isCurrent: z.boolean().openapi({ description: "Whether this request has this session" }),
  })
  .openapi("ListedSession");

export const SessionListSchema = z.object({ sessions: z.array(ListedSessionSchema), pagination: NextPageSchema });

export const ReauthenticationBody = z
  .strictObject({
    password: PasswordField.optional(),
    code: CodeField.optional(),
    passkey: PasskeyAnswerField.optional(),
  })
  .superRefine((given, { addIssue }) => {
    const count = Object.values(given).filter((value) => value !== undefined).length;
    if (count !== 1) addIssue({ code: "custom", path: ["password"], message: "One of `password`, `code`, `passkey`" });
  })
  .openapi("Reauthentication", {
    oneOf: [{ required: ["password"] }, { required: ["code"] }, { required: ["passkey"] }],
    example: { password: "correct horse battery" },
  });

export const ReauthenticatedSchema = z
  .object({
    provenUntil: z.string().datetime().openapi({
      description: "The session may make the changes that need a recent proof until this time",
    }),
  })
  .openapi("Reauthenticated");
