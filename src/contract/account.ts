import { z } from "@hono/zod-openapi";
import { isCommonPassword } from "../domain/common-passwords/is-common-password.ts";
import { VERIFICATION_MODES } from "../domain/mail-proofs.ts";
import { REGISTRATION_MODES } from "../domain/registration.ts";
import { TIER_NAMES } from "../domain/tiers.ts";
import { exactText, line, orNull, UNREADABLE } from "./text.ts";
import { CodeField } from "./totp.ts";

export const AccountSchema = z
  .object({
    _id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    tier: z.enum(TIER_NAMES),
    createdAt: z.string().datetime(),
  })
  .openapi("Account");

/** The account as its owner sees it. */
export const ShownAccountSchema = AccountSchema.extend({
  emailVerification: z.enum(["verified", ...VERIFICATION_MODES]).openapi({
    description: "`verified`, or whether the service asks for it: unverified accounts are limited if it is `required`",
  }),
  verifyBy: z.string().datetime().nullable().openapi({
    description: "When the account is erased unless its address is verified; null: never",
  }),
  operator: z.boolean().openapi({
    description: "Whether its sessions may use the operator's room of the dashboard",
  }),
}).openapi("ShownAccount");

const MAX_EMAIL_CHARACTERS = 254;

/** E-mail addresses are compared in lower case. */
export const EmailField = z.string().trim().toLowerCase().max(MAX_EMAIL_CHARACTERS).pipe(z.email()).openapi({
  type: "string",
  format: "email",
  maxLength: MAX_EMAIL_CHARACTERS,
  pattern: z.regexes.email.source,
  example: "person@example.com",
});

const MAX_PASSWORD_CHARACTERS = 128;

/** Passwords are hashed whole, so their length is bounded (SIGN-4). */
const NewPasswordField = exactText({ min: 8, max: MAX_PASSWORD_CHARACTERS })
  .refine((password) => !isCommonPassword(password), "Is among the most common passwords")
  .openapi({ type: "string", minLength: 8, maxLength: MAX_PASSWORD_CHARACTERS });
/** The length of existing passwords: earlier versions allowed longer ones. */
export const PasswordField = exactText({ min: 1, max: 256 });
const NameField = line({ max: 100, forbidden: UNREADABLE });

export const RegisterBody = z
  .strictObject({
    email: EmailField,
    password: NewPasswordField,
    name: NameField.optional(),
    turnstileToken: exactText({ min: 1, max: 2048 }).optional().openapi({
      description: "The widget's token, if `GET /auth/registration` names a `turnstile`",
    }),
    invitation: exactText({ min: 1, max: 100 }).optional().openapi({
      description: "The code of an invitation to this address; required if the mode is `invited`",
    }),
  })
  .openapi("Registration", { example: { email: "person@example.com", password: "correct horse battery" } });

export const RegistrationModeSchema = z
  .object({
    mode: z
      .enum(REGISTRATION_MODES)
      .openapi({ description: "Accounts can be opened by everyone, invited addresses, or only the operator" }),
    turnstile: z
      .object({ siteKey: z.string(), action: z.string() })
      .nullable()
      .openapi({ description: "The widget whose token a registration needs; null: none" }),
    mail: z.boolean().openapi({ description: "Whether the service sends mail, for example to reset a password" }),
  })
  .openapi("RegistrationMode");

export const LogInBody = z
  .strictObject({
    email: EmailField,
    password: PasswordField,
    code: CodeField.optional().openapi({
      description:
        "A code of the authenticator app, or a recovery code: needed if the answer was `second_factor_required`",
    }),
  })
  .openapi("Login");

export const SessionSchema = z
  .object({ token: z.string(), expiresAt: z.string().datetime(), account: AccountSchema })
  .openapi("Session");

/** 256 bits have 43 characters in base64url. */
const ProofTokenField = exactText({ min: 1, max: 100 });

/** JSON Schema's keywords for the rule below; the OpenAPI types do not know them all. */
const TOKEN_OR_CODE = {
  oneOf: [{ required: ["token"] }, { required: ["email", "code"] }],
  dependentRequired: { email: ["code"], code: ["email"] },
};

export const VerifyBody = z
  .strictObject({
    token: ProofTokenField.optional().openapi({ description: "The token of the mailed link" }),
    email: EmailField.optional(),
    code: exactText({ min: 1, max: 20 })
      .optional()
      .openapi({ description: "The code in the mail to the address `email`" }),
  })
  .refine(
    ({ token, email, code }) =>
      token === undefined ? email !== undefined && code !== undefined : email === undefined && code === undefined,
    { path: ["token"], message: "Send either the link's token, or email and code" },
  )
  .openapi("EmailVerification", {
    ...TOKEN_OR_CODE,
    example: { token: "XVxZ3cMuNqEs8CqFjUeTtbGfLcbWcWqvLv7n0YbK5do" },
  });

export const ForgottenPasswordBody = z.strictObject({ email: EmailField }).openapi("ForgottenPassword");

export const PasswordResetBody = z
  .strictObject({ token: ProofTokenField, password: NewPasswordField })
  .openapi("PasswordReset");

export const EmailChangeBody = z.strictObject({ email: EmailField }).openapi("EmailChange");

export const EmailConfirmationBody = z.strictObject({ token: ProofTokenField }).openapi("EmailConfirmation");

export const EmailChangeSchema = z
  .object({
    waitingFor: z
      .array(z.enum(["old", "new"]))
      .openapi({ description: "The addresses that still have to confirm; none: the address is changed" }),
  })
  .openapi("EmailChangeProgress");

export const RegisteredSchema = SessionSchema.extend({ uploadKey: z.string() }).openapi("RegisteredAccount");

/** JSON Schema's keyword for the rules below; the OpenAPI types do not know it. */
const NEEDS_CURRENT_PASSWORD = { dependentRequired: { password: ["currentPassword"], revokeKeysSince: ["password"] } };

export const AccountChangeBody = z
  .strictObject({
    name: orNull(NameField).optional(),
    password: NewPasswordField.optional(),
    currentPassword: PasswordField.optional(),
    revokeKeysSince: z.iso.date().optional().openapi({
      type: "string",
      format: "date",
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
      description: "Revokes the keys that were made on this day (UTC) or later; only with a new password",
    }),
  })
  .refine(({ password, currentPassword }) => password === undefined || currentPassword !== undefined, {
    path: ["currentPassword"],
    message: "Required to set a new password",
  })
  .refine(({ password, revokeKeysSince }) => revokeKeysSince === undefined || password !== undefined, {
    path: ["password"],
    message: "Required to revoke keys",
  })
  .openapi("AccountChange", { ...NEEDS_CURRENT_PASSWORD, example: { name: "Ada" } });

export const ErasureSchema = z
  .object({
    status: z.enum(["erasing", "erased"]).openapi({
      description: "`erased`: every file and row of the account is deleted permanently",
    }),
    erasedAt: z.string().datetime().nullable(),
  })
  .openapi("Erasure");

export const AccountDeletedSchema = ErasureSchema.extend({
  message: z.string(),
  receipt: z.string().openapi({ description: "The receipt for `GET /erasures/{receipt}`; valid for 35 days" }),
}).openapi("AccountDeleted");

const ReceiptField = z.string().max(100);

export const ReceiptParam = z.object({
  receipt: ReceiptField.openapi({
    param: { name: "receipt", in: "path" },
    description: "The receipt that `DELETE /account` answered",
  }),
});

export const AccountDeletionBody = z.strictObject({ password: PasswordField }).openapi("AccountDeletion");
