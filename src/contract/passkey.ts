import { z } from "@hono/zod-openapi";
import { NextPageSchema } from "./query-parameters.ts";
import { exactText, line, UNREADABLE } from "./text.ts";

/** Binary values of WebAuthn are base64url. The shapes are those of `PublicKeyCredential.toJSON()`. */
const Bytes = exactText({ min: 1, max: 20_000 });
const CredentialId = exactText({ min: 1, max: 1400 });
const Transports = z.array(exactText({ min: 1, max: 30 })).max(10);

const CREDENTIAL_FIELDS = {
  id: CredentialId,
  /** This is the same as `id`. */
  rawId: CredentialId.optional(),
  type: z.literal("public-key"),
  authenticatorAttachment: exactText({ max: 30 }).optional(),
  clientExtensionResults: z.object({}).default({}),
};

/** The schema has no name of its own, because another body contains it. */
export const PasskeyAnswerField = z.strictObject({
  ...CREDENTIAL_FIELDS,
  response: z.strictObject({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: exactText({ max: 100 }).optional(),
  }),
});

export const PasskeyAnswerBody = z
  .strictObject(PasskeyAnswerField.shape)
  .openapi("PasskeyAnswer", { description: "`AuthenticationResponseJSON` of WebAuthn" });

export const PasskeyRequestSchema = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.number().int(),
    userVerification: z.literal("required"),
  })
  .openapi("PasskeyRequest", { description: "`PublicKeyCredentialRequestOptionsJSON` of WebAuthn; for five minutes" });

export const PasskeyCreationSchema = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: z.literal("public-key") })),
    timeout: z.number().int(),
    excludeCredentials: z.array(
      z.object({ id: z.string(), type: z.literal("public-key"), transports: z.array(z.string()) }),
    ),
    authenticatorSelection: z.object({ residentKey: z.literal("required"), userVerification: z.literal("required") }),
    attestation: z.literal("none"),
  })
  .openapi("PasskeyCreation", {
    description: "`PublicKeyCredentialCreationOptionsJSON` of WebAuthn; for five minutes",
  });

export const NewPasskeyBody = z
  .strictObject({
    name: line({ max: 100, forbidden: UNREADABLE }),
    ...CREDENTIAL_FIELDS,
    response: z.strictObject({
      clientDataJSON: Bytes,
      attestationObject: Bytes,
      authenticatorData: Bytes.optional(),
      transports: Transports.optional(),
      publicKeyAlgorithm: z.number().int().optional(),
      publicKey: Bytes.optional(),
    }),
  })
  .openapi("NewPasskey", { description: "`RegistrationResponseJSON` of WebAuthn, and a name" });

export const PasskeySchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    createdAt: z.string().datetime(),
    lastUsedAt: z.string().datetime().nullable(),
  })
  .openapi("Passkey");

export const PasskeyListSchema = z.object({ passkeys: z.array(PasskeySchema), pagination: NextPageSchema });
