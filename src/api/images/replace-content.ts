import { IdParam } from "../../contract/common.ts";
import { ReplacementForm, ReplaceQuery, UploadResultSchema } from "../../contract/upload-result.ts";
import { ServiceError } from "../../domain/errors.ts";
import { toUploadResult } from "../../services/images/to-media-object.ts";
import { refuseSlice } from "../../services/uploads/receive/upload-fields.ts";
import { replaceContent } from "../../services/uploads/replace-content.ts";
import { guarded } from "../guarded.ts";
import { accountOf } from "../middleware/access.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { openUploadBody } from "../uploads/upload-request.ts";

const route = guarded("images:write", {
  operationId: "replaceContent",
  method: "put",
  path: "/images/{id}/content",
  tags: ["images"],
  summary: "Replace the bytes of an upload",
  description:
    "The body is a form with a single file, or the file itself, as for `POST /images/upload`; resumable uploads are not offered. The upload keeps its id, " +
    "folder, tags, visibility and other facts, gets a new URL, and earlier URLs redirect to it. A raw body without `filename` keeps the name. " +
    "The answer comes when the new URL works and the storage is settled. A repeat stores and counts again.",
  "x-operation-class": "A",
  "x-confinable": true,
  request: {
    params: IdParam,
    query: ReplaceQuery,
    body: {
      required: true,
      content: {
        "multipart/form-data": { schema: ReplacementForm },
        "application/octet-stream": {
          schema: { type: "string" as const, format: "binary" },
          example: "(the file's bytes)",
        },
      },
    },
  },
  responses: {
    200: jsonResponse("The upload with its new bytes", UploadResultSchema),
    ...errorResponses(404, 408, 409, 451),
  },
});

export const replacements = createRouter();

// This is only a description: routing by `openapi` would read the whole body to validate it.
replacements.openAPIRegistry.registerPath(route);

replacements.put(route.getRoutingPath(), route.middleware, async (c) => {
  const query = new URL(c.req.url).searchParams;
  refuseSlice(new Map(query));
  const account = accountOf(c);
  const body = openUploadBody(account, c.req.raw);
  const content = "raw" in body ? { ...body, options: { compress: query.get("compress") ?? undefined } } : body;
  const work = replaceContent(account, c.req.param("id") ?? "", content);
  // A failed upload's clean-up must finish even if the client disconnects.
  account.waitUntil(work.catch(() => undefined));
  try {
    return c.json(toUploadResult(await work, account.config.cdnUrl), 200);
  } catch (error) {
    const isUnsupported = error instanceof ServiceError && error.statusCode === 415;
    throw isUnsupported && "raw" in body && body.notAFile !== undefined ? body.notAFile : error;
  }
});
