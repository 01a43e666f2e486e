import { IdParam } from "../../contract/common.ts";
import { MediaObjectSchema } from "../../contract/media-object.ts";
import { toMediaObject } from "../../services/images/to-media-object.ts";
import { openPreviewUrls } from "../../services/previews/preview-urls.ts";
import { removeLocation } from "../../services/uploads/remove-location.ts";
import { guarded } from "../guarded.ts";
import { accountOf } from "../middleware/access.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

export const locationRemovals = createRouter();

locationRemovals.openapi(
  guarded("images:write", {
    operationId: "removeLocation",
    method: "post",
    path: "/images/{id}/remove-location",
    tags: ["images"],
    summary: "Remove the place from the stored file of an upload",
    description:
      "Serial numbers, maker notes and thumbnails are removed, too, as by the setting `metadata: private`. Pixels and frames stay. The file gets a new " +
      "URL, earlier URLs redirect to it, and it counts as a replacement. A file without such metadata stays as it is, and nothing counts.",
    "x-operation-class": "A",
    "x-confinable": true,
    request: { params: IdParam },
    responses: { 200: jsonResponse("The upload", MediaObjectSchema), ...errorResponses(404, 409, 451) },
  }),
  async (c) => {
    const account = accountOf(c);
    const work = removeLocation(account, c.req.valid("param").id);
    // A failed change's clean-up must finish even if the client disconnects.
    account.waitUntil(work.catch(() => undefined));
    const upload = await work;
    const urlsOf = await openPreviewUrls(account);
    return c.json(toMediaObject(upload, account.config.cdnUrl, await urlsOf(upload)), 200);
  },
);
