import { IdParam } from "../../contract/common.ts";
import { MediaObjectSchema } from "../../contract/media-object.ts";
import { ERRORS } from "../../domain/errors.ts";
import { getOwnUpload } from "../../services/images/get-own-upload.ts";
import { openPreviewUrls } from "../../services/previews/preview-urls.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toMediaObject } from "./to-media-object.ts";

const route = guarded("images:read", {
  operationId: "getImage",
  method: "get",
  path: "/images/{id}",
  tags: ["images"],
  summary: "One upload",
  "x-confinable": true,
  request: { params: IdParam },
  responses: { 200: jsonResponse("The upload", MediaObjectSchema), ...errorResponses(404) },
});

export const getImage = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  const upload = await getOwnUpload(account, c.req.valid("param").id, ERRORS.ForeignImage);
  const urlsOf = await openPreviewUrls(account);
  return c.json(toMediaObject(upload, account.config.cdnUrl, await urlsOf(upload)), 200);
});
