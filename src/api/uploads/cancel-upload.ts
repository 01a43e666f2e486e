import { IdParam } from "../../contract/common.ts";
import { removeResumable } from "../../services/uploads/resumable/find-resumable.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses } from "../responses.ts";
import { createRouter } from "../router.ts";
import { requireTus } from "./tus.ts";

const route = guarded("upload", {
  operationId: "cancelUpload",
  method: "delete",
  path: "/images/upload/{id}",
  tags: ["images"],
  summary: "Give a resumable upload up (tus 1.0.0)",
  description: "With `Tus-Resumable: 1.0.0`. One that is stored is deleted like any other: `DELETE /images/{id}`.",
  "x-rate-bucket": "pieces",
  request: { params: IdParam },
  responses: { 204: { description: "Nothing is left of it" }, ...errorResponses(404, 412, 423) },
});

export const cancelUpload = createRouter().openapi(route, async (c) => {
  requireTus(c.req.raw.headers);
  await removeResumable(accountOf(c), c.req.valid("param").id);
  return c.body(null, 204);
});
