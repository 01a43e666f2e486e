import { IdParam } from "../../contract/common.ts";
import { UploadResultSchema } from "../../contract/upload-result.ts";
import { ERRORS } from "../../domain/errors.ts";
import { addPiece } from "../../services/uploads/resumable/add-piece.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { declaredBytes } from "../images/start-upload.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { answerProgress } from "./answer.ts";
import { readBytes } from "./read-tus-headers.ts";
import { OFFSET_TYPE, requireTus } from "./tus.ts";

const route = guarded("upload", {
  operationId: "resumeUpload",
  method: "patch",
  path: "/images/upload/{id}",
  tags: ["images"],
  summary: "Add bytes to a resumable upload (tus 1.0.0)",
  description:
    "With `Tus-Resumable: 1.0.0` and `Upload-Offset`, which is what `HEAD` on the same path answers. Pieces may have any size up to a " +
    "request's limit. The last one answers the upload's result; before, it is 204.",
  "x-rate-bucket": "pieces",
  request: {
    params: IdParam,
    body: { required: true, content: { [OFFSET_TYPE]: { schema: { type: "string", format: "binary" } } } },
  },
  responses: {
    200: jsonResponse("All bytes are there: the upload's result", UploadResultSchema),
    204: { description: "More bytes are needed; `Upload-Offset` says from where" },
    ...errorResponses(404, 409, 412, 423),
  },
});

export const resumeUpload = createRouter();

// Only described, not routed by `openapi`, which would read the whole body to validate it.
resumeUpload.openAPIRegistry.registerPath(route);

resumeUpload.patch("/images/upload/:id", route.middleware, async (c) => {
  const account = accountOf(c);
  const { headers, body } = c.req.raw;
  requireTus(headers);
  if (headers.get("Content-Type") !== OFFSET_TYPE) throw ERRORS.OffsetTypeRequired();
  const offset = readBytes(headers, "Upload-Offset");
  if (offset === undefined) throw ERRORS.InvalidRequest({ "Upload-Offset": "It is required" });
  const totalBytes = declaredBytes(headers, account.config.maxUploadBytes);
  const length = readBytes(headers, "Upload-Length");
  const work = addPiece(account, c.req.param("id"), { stream: body, totalBytes, offset, length });
  // A client that goes away must not take its bytes with it.
  account.waitUntil(work.catch(() => undefined));
  return answerProgress(c, await work, { unfinished: 204, finished: 200 });
});
