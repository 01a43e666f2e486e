import { createRoute } from "@hono/zod-openapi";
import { ERRORS } from "../../domain/errors.ts";
import { getOwnUpload } from "../../services/images/get-own-upload.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, IdParam, jsonResponse } from "../schemas.ts";
import { MediaObjectSchema, toMediaObject } from "./media-object.ts";

const route = createRoute({
  method: "get",
  path: "/images/{id}",
  tags: ["images"],
  summary: "One upload",
  security: bearer("api"),
  middleware: requireAccess("api"),
  request: { params: IdParam },
  responses: { 200: jsonResponse("The upload", MediaObjectSchema), ...errorResponses(401, 403, 404) },
});

export const getImage = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  const upload = await getOwnUpload(account, c.req.valid("param").id, ERRORS.ForeignImage);
  return c.json(toMediaObject(upload, account.config.cdnUrl), 200);
});
