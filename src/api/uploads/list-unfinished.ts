import { UnfinishedListSchema } from "../../contract/unfinished-upload.ts";
import { listUnfinished } from "../../services/uploads/resumable/find-resumable.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toUnfinishedBody } from "./answer.ts";

const route = guarded("upload", {
  operationId: "listUnfinishedUploads",
  method: "get",
  path: "/images/upload",
  tags: ["images"],
  summary: "List resumable uploads that are not finished, newest first",
  responses: { 200: jsonResponse("At most 100", UnfinishedListSchema) },
});

export const listUnfinishedUploads = createRouter().openapi(route, async (c) => {
  const uploads = await listUnfinished(accountOf(c));
  return c.json({ uploads: uploads.map(toUnfinishedBody) }, 200);
});
