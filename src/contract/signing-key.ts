import { z } from "@hono/zod-openapi";
import { NextPageSchema } from "./query-parameters.ts";
import { line, UNREADABLE } from "./text.ts";

/** A key that signs URLs of variants (VAR-9). */
export const SigningKeySchema = z
  .object({ _id: z.string(), name: z.string(), createdAt: z.string().datetime() })
  .openapi("SigningKey");

export const SigningKeyListSchema = z.object({ keys: z.array(SigningKeySchema), pagination: NextPageSchema });

/** A new signing key: `key` is shown only in this answer. */
export const NewSigningKeySchema = SigningKeySchema.extend({ key: z.string() }).openapi("NewSigningKey");

export const NewSigningKeyBody = z
  .strictObject({ name: line({ max: 100, forbidden: UNREADABLE }) })
  .openapi("SigningKeyRequest");
