import { DuplicatesQuery, DuplicatesSchema } from "../contract/duplicates.ts";
import { listDuplicates } from "../services/images/list-duplicates.ts";
import { toMediaObject } from "../services/images/to-media-object.ts";
import { openPreviewUrls } from "../services/previews/preview-urls.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const duplicates = createRouter();

duplicates.openapi(
  guarded("images:read", {
    operationId: "listDuplicates",
    method: "get",
    path: "/duplicates",
    tags: ["images"],
    summary: "Active uploads with the same bytes, in groups",
    description:
      "Compares the stored bytes by `sha256`, in every folder. The work of a request is bounded: follow `nextCursor` until it is null.",
    "x-confinable": true,
    request: { query: DuplicatesQuery },
    responses: { 200: jsonResponse("The groups", DuplicatesSchema) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { rows, nextCursor } = await listDuplicates(account, c.req.valid("query"));
    const urlsOf = await openPreviewUrls(account);
    const groups = rows.map(async ({ sha256, count, sizeBytes, uploads }) => ({
      sha256,
      count,
      freedBytes: (count - 1) * sizeBytes,
      images: await Promise.all(
        uploads.map(async (upload) => toMediaObject(upload, account.config.cdnUrl, await urlsOf(upload))),
      ),
    }));
    return c.json({ groups: await Promise.all(groups), pagination: { nextCursor } }, 200);
  },
);
