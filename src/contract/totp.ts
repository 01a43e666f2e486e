import { z } from "@hono/zod-openapi";
import { exactText } from "./text.ts";

/** Six digits of the authenticator, or a recovery code. */
export const CodeField = exactText({ min: 6, max: 40 });

export const TotpStateSchema = z
  .object({
    enabled: z.boolean().openapi({ description: "Whether a log-in by password needs a code" }),
    enabledAt: z.string().datetime().nullable(),
    recoveryCodesLeft: z.number().int(),
  })
  .openapi("Totp");

export const NewTotpSchema = z
  .object({
    secret: z.string().openapi({ description: "Base32, for typing into the app" }),
    uri: z.string().openapi({ description: "`otpauth:` link, for a QR code" }),
  })
  .openapi("NewTotp");

export const TotpCodeBody = z.strictObject({ code: CodeField }).openapi("TotpCode");

export const RecoveryCodesSchema = z
  .object({ recoveryCodes: z.array(z.string()).openapi({ description: "Each is valid once" }) })
  .openapi("RecoveryCodes");
