import { IdParam } from "../../contract/common.ts";
import { ImageChangeBody } from "../../contract/image-change.ts";
import { MediaObjectSchema } from "../../contract/media-object.ts";
import { updateImage as update } from "../../services/images/update-image.ts";
import { openPreviewUrls } from "../../services/previews/preview-urls.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toMediaObject } from "./to-media-object.ts";

const route = guarded("images:write", {
  operationId: "updateImage",
  method: "patch",
  path: "/images/{id}",
  tags: ["images"],
  summary: "Move, tag or mark an upload",
  description: "Absent fields stay. Works for trashed uploads too.",
  "x-confinable": true,
  request: { params: IdParam, body: jsonBody(ImageChangeBody) },
  responses: { 200: jsonResponse("The upload", MediaObjectSchema), ...errorResponses(404) },
});

export const updateImage = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  const upload = await update(account, c.req.valid("param").id, c.req.valid("json"));
  const urlsOf = await openPreviewUrls(account);
  return c.json(toMediaObject(upload, account.config.cdnUrl, await urlsOf(upload)), 200);
});
