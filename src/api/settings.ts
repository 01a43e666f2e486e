import { MessageSchema } from "../contract/common.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import {
  AllSettingsSchema,
  CompressionPreviewForm,
  PresetBody,
  PresetListSchema,
  PresetParam,
  PresetSchema,
  QualityText,
  SettingsChangeBody,
} from "../contract/settings.ts";
import { ERRORS } from "../domain/errors.ts";
import { MultipartReader, parseBoundary } from "../multipart/read-multipart.ts";
import { changeOwnersRules, readOwnersRules } from "../services/accounts/owners-rules.ts";
import { deletePreset, getPreset, listPresets, putPreset } from "../services/accounts/presets.ts";
import { showSettings, updateSettings } from "../services/accounts/update-settings.ts";
import { previewCompression } from "../services/uploads/preview/preview-compression.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { headersOf } from "./openapi/response-headers.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";
import { declaredBytes } from "./uploads/upload-request.ts";

export const settings = createRouter();

settings.openapi(
  guarded("settings", {
    operationId: "getSettings",
    method: "get",
    path: "/settings",
    tags: ["settings"],
    summary: "How uploaded files are stored, who may show the files, and in which sizes",
    description: "The defaults apply until they are changed.",
    responses: { 200: jsonResponse("The settings", AllSettingsSchema) },
  }),
  async (c) => {
    const account = accountOf(c);
    return c.json({ ...showSettings(account.settings), ...(await readOwnersRules(account)) }, 200);
  },
);

settings.openapi(
  guarded("settings", {
    operationId: "updateSettings",
    method: "patch",
    path: "/settings",
    tags: ["settings"],
    summary: "Change how later files are stored, who may show the files, and in which sizes",
    description: "Absent fields stay. Stored files do not change.",
    request: { body: jsonBody(SettingsChangeBody) },
    responses: { 200: jsonResponse("The settings", AllSettingsSchema) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { hotlink, variants, ...compression } = c.req.valid("json");
    const settings = await updateSettings(account, compression);
    return c.json({ ...showSettings(settings), ...(await changeOwnersRules(account, { hotlink, variants })) }, 200);
  },
);

/** The largest image that is compressed, plus the form around it. */
const MAX_FORM_BYTES = 32 * 1024 * 1024 + 256 * 1024;
const ORIGINAL_SIZE = "X-Original-Size";

const previewRoute = guarded("session", {
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
      headers: headersOf([ORIGINAL_SIZE]),
      content: { "image/*": { schema: { type: "string", format: "binary" } } },
    },
    ...errorResponses(404, 408),
  },
});

// This is only a description: routing by `openapi` would read the whole body to validate it.
settings.openAPIRegistry.registerPath(previewRoute);

settings.post(previewRoute.path, previewRoute.middleware, async (c) => {
  const account = accountOf(c);
  const { headers, body } = c.req.raw;
  const totalBytes = declaredBytes(headers, MAX_FORM_BYTES);
  const boundary = parseBoundary(headers.get("Content-Type") ?? "");
  if (boundary === undefined || body === null) {
    throw ERRORS.NoFile("Send `file` or `id` as multipart/form-data with a boundary");
  }
  const work = previewCompression(account, new MultipartReader(body, boundary, totalBytes, MAX_FORM_BYTES), (text) => {
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

settings.openapi(
  guarded("settings", {
    operationId: "listPresets",
    method: "get",
    path: "/settings/presets",
    tags: ["settings"],
    summary: "The presets for sizes and formats, by name",
    description: "A preset is a name for the parameters of a variant.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The presets", PresetListSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listPresets(accountOf(c), c.req.valid("query"));
    return c.json({ presets: [...rows], pagination: { nextCursor } }, 200);
  },
);

settings.openapi(
  guarded("settings", {
    operationId: "getPreset",
    method: "get",
    path: "/settings/presets/{name}",
    tags: ["settings"],
    summary: "One preset",
    description: "Names are lower-case letters, digits and hyphens.",
    request: { params: PresetParam },
    responses: { 200: jsonResponse("The preset", PresetSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(await getPreset(accountOf(c), c.req.valid("param").name), 200),
);

settings.openapi(
  guarded("settings", {
    operationId: "putPreset",
    method: "put",
    path: "/settings/presets/{name}",
    tags: ["settings"],
    summary: "Add or replace a preset",
    description:
      "`?p=<name>` in a file's URL asks for the preset's exact size and format. A change takes effect within a minute.",
    request: { params: PresetParam, body: jsonBody(PresetBody) },
    responses: { 200: jsonResponse("The preset", PresetSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { parameters } = c.req.valid("json");
    return c.json(await putPreset(accountOf(c), c.req.valid("param").name, parameters), 200);
  },
);

settings.openapi(
  guarded("settings", {
    operationId: "deletePreset",
    method: "delete",
    path: "/settings/presets/{name}",
    tags: ["settings"],
    summary: "Remove a preset; its URLs stop working within a minute",
    description: "Its URLs are then 400.",
    request: { params: PresetParam },
    responses: { 200: jsonResponse("Removed", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await deletePreset(accountOf(c), c.req.valid("param").name);
    return c.json({ message: "The preset was removed" }, 200);
  },
);
