import { z } from "@hono/zod-openapi";

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "Must be 64 hexadecimal digits");

/** The hashes of a file in results and listings (RES-4). */
export const hashFields = {
  sha256: Sha256.nullable().openapi({
    description: "SHA-256 of the stored bytes in hexadecimal; null for files of older versions",
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  }),
  uploadedSha256: Sha256.optional().openapi({
    description: "SHA-256 of the uploaded bytes; only if they differ from the stored ones",
    example: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
  }),
};
