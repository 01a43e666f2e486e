import { DeleteQuery } from "../../contract/bulk-delete.ts";
import { IdParam, MessageSchema } from "../../contract/common.ts";
import { FileHistorySchema } from "../../contract/file-history.ts";
import { ImageChangeBody } from "../../contract/image-change.ts";
import { MediaObjectSchema } from "../../contract/media-object.ts";
import { SignedImageSchema, SignImageBody } from "../../contract/signed-image.ts";
import { TimelineQuery, TimelineSchema } from "../../contract/timeline.ts";
import { ERRORS } from "../../domain/errors.ts";
import { deleteImage } from "../../services/images/delete-image.ts";
import { getHistory, type NamedEntry } from "../../services/images/get-history.ts";
import { getOwnUpload } from "../../services/images/get-own-upload.ts";
import { readTimeline } from "../../services/images/read-timeline.ts";
import { signImage } from "../../services/images/sign-image.ts";
import { toMediaObject } from "../../services/images/to-media-object.ts";
import { updateImage } from "../../services/images/update-image.ts";
import { openPreviewUrls } from "../../services/previews/preview-urls.ts";
import { guarded } from "../guarded.ts";
import { accountOf } from "../middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { bulkChanges } from "./bulk-changes.ts";
import { listImages } from "./list-images.ts";
import { locationRemovals } from "./remove-location.ts";
import { replacements } from "./replace-content.ts";
import { uploadImages } from "./upload-images.ts";

export const images = createRouter();

for (const router of [uploadImages, listImages, bulkChanges, replacements, locationRemovals]) images.route("/", router);

// Precedes the routes with `{id}` at the same place.
images.openapi(
  guarded("images:read", {
    operationId: "getTimeline",
    method: "get",
    path: "/images/timeline",
    tags: ["images"],
    summary: "Count uploads by month or day",
    description: "The uploads that `GET /images` lists for the same `status` and `folderId`.",
    "x-confinable": true,
    request: { query: TimelineQuery },
    responses: { 200: jsonResponse("The months or days", TimelineSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { total, buckets } = await readTimeline(accountOf(c), c.req.valid("query"));
    return c.json({ total, buckets: [...buckets] }, 200);
  },
);

images.openapi(
  guarded("images:read", {
    operationId: "getImage",
    method: "get",
    path: "/images/{id}",
    tags: ["images"],
    summary: "One upload",
    description: "Active or trashed.",
    "x-confinable": true,
    request: { params: IdParam },
    responses: { 200: jsonResponse("The upload", MediaObjectSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const account = accountOf(c);
    const upload = await getOwnUpload(account, c.req.valid("param").id, ERRORS.ForeignImage);
    const urlsOf = await openPreviewUrls(account);
    return c.json(toMediaObject(upload, account.config.cdnUrl, await urlsOf(upload)), 200);
  },
);

// The scope of the log, because the names of keys are in it.
images.openapi(
  guarded("account", {
    operationId: "getHistory",
    method: "get",
    path: "/history/{id}",
    tags: ["images"],
    summary:
      "The history of an upload: each upload, move, renaming, replacement, trashing and restoring, with its author",
    description: "Active or trashed. Uploads of earlier versions have their time of upload and later changes.",
    request: { params: IdParam },
    responses: { 200: jsonResponse("The history", FileHistorySchema), ...errorResponses(404) },
  }),
  async (c) => {
    const entries = await getHistory(accountOf(c), c.req.valid("param").id);
    return c.json({ history: entries.map(toHistoryEntry) }, 200);
  },
);

function toHistoryEntry({ by, at, ...entry }: NamedEntry) {
  return { ...entry, at: new Date(at).toISOString(), by: by && toNamedActor(by) };
}

function toNamedActor({ id, isRevoked, ...actor }: NonNullable<NamedEntry["by"]>) {
  return { _id: id, ...actor, ...(isRevoked && { revoked: isRevoked }) };
}

images.openapi(
  guarded("images:write", {
    operationId: "updateImage",
    method: "patch",
    path: "/images/{id}",
    tags: ["images"],
    summary: "Move, tag or mark an upload, or make it public or private",
    description:
      "Absent fields stay. Works for trashed uploads too. A change of `visibility` is in effect when it is answered, also for the " +
      "thumbnail and the variants.",
    "x-confinable": true,
    request: { params: IdParam, body: jsonBody(ImageChangeBody) },
    responses: { 200: jsonResponse("The upload", MediaObjectSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const account = accountOf(c);
    const upload = await updateImage(account, c.req.valid("param").id, c.req.valid("json"));
    const urlsOf = await openPreviewUrls(account);
    return c.json(toMediaObject(upload, account.config.cdnUrl, await urlsOf(upload)), 200);
  },
);

images.openapi(
  guarded("images:read", {
    operationId: "signImage",
    method: "post",
    path: "/images/{id}/sign",
    tags: ["images"],
    summary: "Sign the URLs of an upload",
    description:
      "The URLs open a private file, its thumbnail and its variants until they expire, and cannot be taken back before. Nothing is " +
      "stored, so the request takes no allowance.",
    "x-confinable": true,
    request: { params: IdParam, body: jsonBody(SignImageBody) },
    responses: { 200: jsonResponse("The signed URLs", SignedImageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { expiresIn } = c.req.valid("json");
    const { expiresAt, ...urls } = await signImage(accountOf(c), c.req.valid("param").id, expiresIn);
    return c.json({ ...urls, expiresAt: new Date(expiresAt).toISOString() }, 200);
  },
);

images.openapi(
  guarded("images:delete", {
    operationId: "deleteImage",
    method: "delete",
    path: "/images/{id}",
    tags: ["images"],
    summary: "Delete an upload permanently",
    description:
      "Active or trashed. Its URL stops working and its storage is freed at once. With `onlyFrom`, an upload that is not in the trash when " +
      "it would be deleted is kept: 409 `image_not_in_trash`.",
    "x-operation-class": "A",
    "x-confinable": true,
    request: { params: IdParam, query: DeleteQuery },
    responses: { 200: jsonResponse("Deleted", MessageSchema), ...errorResponses(404, 409) },
  }),
  async (c) => {
    await deleteImage(accountOf(c), c.req.valid("param").id, c.req.valid("query").onlyFrom);
    return c.json({ message: "Image deleted successfully" }, 200);
  },
);
