import { z } from "@hono/zod-openapi";
import { ERRORS } from "../domain/errors.ts";
import { getPreview as getImagePreview } from "../services/previews/get-preview.ts";
import { guarded } from "./guarded.ts";
import { errorResponses } from "./responses.ts";
import { createRouter } from "./router.ts";

/** A preview's URL and content stay the same for a day. */
const MAX_AGE_SECONDS = 86_400;

/** The period of `PREVIEW_READS` (wrangler.toml). */
const LIMIT_SECONDS = 60;

const route = guarded("signed", {
  operationId: "getPreview",
  method: "get",
  path: "/previews/{account}/{file}",
  tags: ["images"],
  summary: "An image's preview",
  description:
    "An upright WebP without metadata, its short edge 256 pixels (never enlarged, the long edge at most 1,024). The URL is a media " +
    "object's `previewUrl`, which only sessions get. It does not count as a view, an operation, a request or storage.",
  request: {
    params: z.object({
      account: z.string().openapi({ param: { name: "account", in: "path" }, description: "The account's id" }),
      file: z
        .string()
        .openapi({ param: { name: "file", in: "path" }, description: "The upload's id and the extension" }),
    }),
    query: z.object({ preview: z.string().optional().openapi({ description: "The token" }) }),
  },
  responses: {
    200: {
      description: "The preview",
      content: { "image/webp": { schema: z.string().openapi({ format: "binary" }) } },
    },
    ...errorResponses(400, 403, 404, 451),
  },
});

export const getPreview = createRouter().openapi(route, async (c) => {
  const { account, file } = c.req.valid("param");
  const { preview: token } = c.req.valid("query");
  const body = await getImagePreview(c.var.services, { accountId: account, file, token });
  if (body === undefined || body === "limited") {
    // Answered, not thrown: a thrown error without an account counts against the address, and a page may request many
    // previews.
    const error = body === "limited" ? ERRORS.RateLimited(LIMIT_SECONDS) : ERRORS.PreviewNotFound();
    return c.json(error.toBody(), error.statusCode as 404, { ...error.headers, "Cache-Control": "no-store" });
  }
  return c.body(body, 200, {
    "Content-Type": "image/webp",
    "Cache-Control": `private, max-age=${MAX_AGE_SECONDS}`,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
  });
});
