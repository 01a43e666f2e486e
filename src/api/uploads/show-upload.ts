import type { Context } from "hono";
import { IdParam } from "../../contract/common.ts";
import { ShownUploadSchema } from "../../contract/unfinished-upload.ts";
import { lookUp } from "../../services/uploads/resumable/add-piece.ts";
import { findResumable } from "../../services/uploads/resumable/find-resumable.ts";
import { accountOf } from "../account-of.ts";
import type { AppEnv } from "../app-env.ts";
import { guarded } from "../guarded.ts";
import { toUploadResult } from "../images/to-upload-result.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { expiresHeader, toUnfinishedBody } from "./answer.ts";
import { requireTus } from "./tus.ts";

const route = guarded("upload", {
  operationId: "getResumableUpload",
  method: "get",
  path: "/images/upload/{id}",
  tags: ["images"],
  summary: "How a resumable upload stands",
  description:
    "Its result once it is stored (for ten minutes). Whoever writes to it is not disturbed. `HEAD` is tus 1.0.0's: `Upload-Offset` and " +
    "`Upload-Length`; another request that is still writing is made to stop.",
  "x-rate-bucket": "pieces",
  request: { params: IdParam },
  responses: {
    200: jsonResponse("The upload's result, or how far it is", ShownUploadSchema),
    ...errorResponses(404, 412, 423),
  },
});

export const showUpload = createRouter();

// Hono runs HEAD as GET, so that the one handler has two answers: too many for `openapi`.
showUpload.openAPIRegistry.registerPath(route);

showUpload.get("/images/upload/:id", route.middleware, async (c) => {
  const account = accountOf(c);
  const id = c.req.param("id");
  if (c.req.raw.method === "HEAD") return showOffset(c, id);
  const { resumable, progress } = await findResumable(account, id);
  const { upload } = progress;
  c.header("Cache-Control", "no-store");
  if (upload !== undefined) return c.json(toUploadResult(upload, account.config.cdnUrl), 200);
  return c.json(toUnfinishedBody({ ...resumable, filename: resumable.facts.filename }), 200);
});

/** tus 1.0.0, HEAD. */
async function showOffset(c: Context<AppEnv>, id: string): Promise<Response> {
  const account = accountOf(c);
  requireTus(c.req.raw.headers);
  const work = lookUp(account, id);
  account.waitUntil(work.catch(() => undefined));
  const upload = await work;
  const { offset, length, facts } = upload;
  return c.body(null, 200, {
    ...{ "Upload-Offset": String(offset), "Cache-Control": "no-store" },
    ...(length === null ? { "Upload-Defer-Length": "1" } : { "Upload-Length": String(length) }),
    ...(facts.metadata === null ? {} : { "Upload-Metadata": facts.metadata }),
    ...(upload.state === "receiving" ? expiresHeader(upload) : {}),
  });
}
