import { z } from "@hono/zod-openapi";
import { REGISTRATION_MODES } from "../domain/registration.ts";
import { TIER_NAMES } from "../domain/tiers.ts";
import { exactText, line, orNull } from "./text.ts";

export const AccountSchema = z
  .object({
    _id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    tier: z.enum(TIER_NAMES),
    createdAt: z.string().datetime(),
  })
  .openapi("Account");

const MAX_EMAIL_CHARACTERS = 254;

/** An address is found whatever the case it is typed in. */
export const EmailField = z.string().trim().toLowerCase().max(MAX_EMAIL_CHARACTERS).pipe(z.email()).openapi({
  type: "string",
  format: "email",
  maxLength: MAX_EMAIL_CHARACTERS,
  pattern: z.regexes.email.source,
  example: "person@example.com",
});

/** A password is hashed whole, so that its length is bounded. */
const NewPasswordField = exactText({ min: 8, max: 256 });
const PasswordField = exactText({ min: 1, max: 256 });
const NameField = line({ max: 100 });

export const RegisterBody = z
  .strictObject({
    email: EmailField,
    password: NewPasswordField,
    name: NameField.optional(),
    turnstileToken: exactText({ min: 1, max: 2048 }).optional().openapi({
      description: "The token of the widget, where `GET /auth/registration` names a `turnstile`",
    }),
  })
  .openapi("Registration", { example: { email: "person@example.com", password: "correct horse battery" } });

export const RegistrationModeSchema = z
  .object({
    mode: z
      .enum(REGISTRATION_MODES)
      .openapi({ description: "Who may open an account: anybody, whoever was invited, nobody" }),
    turnstile: z
      .object({ siteKey: z.string(), action: z.string() })
      .nullable()
      .openapi({ description: "The widget whose token a registration has to bring; null: none" }),
  })
  .openapi("RegistrationMode");

export const LogInBody = z.strictObject({ email: EmailField, password: PasswordField }).openapi("Login");

export const SessionSchema = z
  .object({ token: z.string(), expiresAt: z.string().datetime(), account: AccountSchema })
  .openapi("Session");

export const RegisteredSchema = SessionSchema.extend({ uploadKey: z.string() }).openapi("RegisteredAccount");

/** JSON Schema's word for the rule below; the OpenAPI types do not know it. */
const NEEDS_CURRENT_PASSWORD = { dependentRequired: { password: ["currentPassword"] } };

export const AccountChangeBody = z
  .strictObject({
    name: orNull(NameField).optional(),
    password: NewPasswordField.optional(),
    currentPassword: PasswordField.optional(),
  })
  .refine(({ password, currentPassword }) => password === undefined || currentPassword !== undefined, {
    path: ["currentPassword"],
    message: "Required to set a new password",
  })
  .openapi("AccountChange", { ...NEEDS_CURRENT_PASSWORD, example: { name: "Ada" } });

export const ErasureSchema = z
  .object({
    status: z.enum(["erasing", "erased"]).openapi({
      description: "`erased`: no file and no row of the account is left, and none can come any more",
    }),
    erasedAt: z.string().datetime().nullable(),
  })
  .openapi("Erasure");

export const AccountDeletedSchema = ErasureSchema.extend({
  message: z.string(),
  receipt: z.string().openapi({ description: "What to ask `GET /erasures/{receipt}` with; known for 35 days" }),
}).openapi("AccountDeleted");

const ReceiptField = z.string().max(100);

export const ReceiptParam = z.object({
  receipt: ReceiptField.openapi({ param: { name: "receipt", in: "path" } }),
});

export const AccountDeletionBody = z.strictObject({ password: PasswordField }).openapi("AccountDeletion");
