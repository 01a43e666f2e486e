import { CompressionPreviewForm, QualityText } from "../../contract/compression-preview.ts";
import { ERRORS } from "../../domain/errors.ts";
import { parseBoundary } from "../../multipart/boundary.ts";
import { MultipartReader } from "../../multipart/read-multipart.ts";
import { previewCompression as preview } from "../../services/uploads/preview/preview-compression.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { declaredBytes } from "../images/start-upload.ts";
import { errorResponses } from "../responses.ts";
import { createRouter } from "../router.ts";

/** The largest image that is compressed, and what the form has around it. */
const MAX_FORM_BYTES = 32 * 1024 * 1024 + 256 * 1024;
const ORIGINAL_SIZE = "X-Original-Size";

const route = guarded("session", {
  operationId: "previewCompression",
  method: "post",
  path: "/settings/compression-preview",
  tags: ["settings"],
  summary: "Show an image as it would be stored at a quality",
  description:
    "Nothing is stored and no operation counted. What would not get smaller comes as it is. One at a time: 429 while another is under way.",
  request: { body: { required: true, content: { "multipart/form-data": { schema: CompressionPreviewForm } } } },
  responses: {
    200: {
      description: "The image",
      headers: { [ORIGINAL_SIZE]: { description: "Its size before, in bytes", schema: { type: "integer" } } },
      content: { "image/*": { schema: { type: "string", format: "binary" } } },
    },
    ...errorResponses(404, 408),
  },
});

export const previewCompression = createRouter();

// Only described, not routed by `openapi`, which would read the whole body to validate it.
previewCompression.openAPIRegistry.registerPath(route);

previewCompression.post(route.path, route.middleware, async (c) => {
  const account = accountOf(c);
  const { headers, body } = c.req.raw;
  const totalBytes = declaredBytes(headers, MAX_FORM_BYTES);
  const boundary = parseBoundary(headers.get("Content-Type") ?? "");
  if (boundary === undefined || body === null) {
    throw ERRORS.NoFile("Send `file` or `id` as multipart/form-data with a boundary");
  }
  const work = preview(account, new MultipartReader(body, boundary, totalBytes, MAX_FORM_BYTES), (text) => {
    if (text === undefined) return account.settings.compressionQuality;
    const quality = QualityText.safeParse(text);
    if (!quality.success) throw ERRORS.InvalidRequest({ quality: quality.error.issues[0]?.message ?? "Is no quality" });
    return quality.data;
  });
  // A client that goes away must not take the cleaning up with it.
  account.waitUntil(work.catch(() => undefined));
  const { type, sizeBytes, originalBytes, body: image } = await work;
  return c.body(image.pipeThrough(new FixedLengthStream(sizeBytes)), 200, {
    "Content-Type": type,
    [ORIGINAL_SIZE]: String(originalBytes),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
  });
});
