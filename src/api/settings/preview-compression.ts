import { CompressionPreviewForm, QualityText } from "../../contract/compression-preview.ts";
import { ERRORS } from "../../domain/errors.ts";
import { MultipartReader, parseBoundary } from "../../multipart/read-multipart.ts";
import { previewCompression as preview } from "../../services/uploads/preview/preview-compression.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses } from "../responses.ts";
import { createRouter } from "../router.ts";
import { declaredBytes } from "../uploads/upload-headers.ts";

/** The largest image that is compressed, plus the form around it. */
const MAX_FORM_BYTES = 32 * 1024 * 1024 + 256 * 1024;
const ORIGINAL_SIZE = "X-Original-Size";

const route = guarded("session", {
  operationId: "previewCompression",
  method: "post",
  path: "/settings/compression-preview",
  tags: ["settings"],
  summary: "Preview an image's compression",
  description:
    "Nothing is stored and no operation counted. An image that would not get smaller is returned unchanged. One at a time: 429 while another is in progress.",
  request: { body: { required: true, content: { "multipart/form-data": { schema: CompressionPreviewForm } } } },
  responses: {
    200: {
      description: "The image",
      headers: { [ORIGINAL_SIZE]: { description: "The original's bytes", schema: { type: "integer" } } },
      content: { "image/*": { schema: { type: "string", format: "binary" } } },
    },
    ...errorResponses(404, 408),
  },
});

export const previewCompression = createRouter();

// This is only a description: routing by `openapi` would read the whole body to validate it.
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
    if (!quality.success)
      throw ERRORS.InvalidRequest({ quality: quality.error.issues[0]?.message ?? "Must be a quality" });
    return quality.data;
  });
  // The clean-up must finish even if the client disconnects.
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
