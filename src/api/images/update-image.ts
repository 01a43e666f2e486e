import { createRoute, z } from "@hono/zod-openapi";
import { updateImage as update } from "../../services/images/update-image.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, IdParam, jsonBody, jsonResponse } from "../schemas.ts";
import { MediaObjectSchema, toMediaObject } from "./media-object.ts";

/** More than any list of tags that is accepted, so that the refusal says what is wrong with it. */
const MAX_TAGS_GIVEN = 1000;

export const FolderField = z.string().nullable().openapi({ description: "A folder's id; null is Root" });
export const TagsField = z.array(z.string()).max(MAX_TAGS_GIVEN);

const ImageChangeBody = z
  .strictObject({ folderId: FolderField, tags: TagsField, favorite: z.boolean() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "Give folderId, tags or favorite")
  .openapi("ImageChange");

const route = createRoute({
  method: "patch",
  path: "/images/{id}",
  tags: ["images"],
  summary: "Move, tag or mark an upload",
  description: "What is not given stays. Works on trashed uploads too.",
  security: bearer("api"),
  middleware: requireAccess("api"),
  request: { params: IdParam, body: jsonBody(ImageChangeBody) },
  responses: { 200: jsonResponse("The upload", MediaObjectSchema), ...errorResponses(400, 401, 403, 404, 413, 415) },
});

export const updateImage = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  const upload = await update(account, c.req.valid("param").id, c.req.valid("json"));
  return c.json(toMediaObject(upload, account.config.cdnUrl), 200);
});
