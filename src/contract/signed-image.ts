import { z } from "@hono/zod-openapi";
import { DEFAULT_SIGNED_SECONDS, MAX_SIGNED_SECONDS } from "../domain/file-signature.ts";
import { EXAMPLE_URL } from "./common.ts";

export const SignImageBody = z
  .strictObject({
    expiresIn: z
      .number()
      .int()
      .min(1)
      .max(MAX_SIGNED_SECONDS)
      .default(DEFAULT_SIGNED_SECONDS)
      .openapi({ description: "Seconds for which the URLs open the file" }),
  })
  .openapi("SignImageRequest", { example: { expiresIn: 3600 } });

const EXAMPLE_QUERY = "exp=1764248400&sig=01arz3ndektsv4rrffq69g5fav.2pPp0Z1mV8yQvH6cM3l3pXoX7pRkS0nYk5p0b5p0b5A";

export const SignedImageSchema = z
  .object({
    url: z.string().openapi({
      description: "Further parameters may follow, such as `&w=640` for a size",
      example: `${EXAMPLE_URL}?${EXAMPLE_QUERY}`,
    }),
    thumbnailUrl: z.string().nullable().openapi({ description: "Videos only; null for images", example: null }),
    expiresAt: z.string().datetime(),
  })
  .openapi("SignedImage");
