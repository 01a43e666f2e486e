import type { z } from "@hono/zod-openapi";
import { BulkDeleteBody, BulkDeletedSchema } from "../../contract/bulk-delete.ts";
import { BulkChangeBody } from "../../contract/image-change.ts";
import { SelectionBody, UpdatedSchema } from "../../contract/selection.ts";
import { MAX_VISIBILITY_CHANGES } from "../../domain/limits.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { chargeChanges } from "../../services/accounts/charge-changes.ts";
import { bulkDelete } from "../../services/images/bulk-delete.ts";
import { bulkUpdate, updateMatches } from "../../services/images/bulk-update.ts";
import type { ChangedMatches, MatchSelection } from "../../services/images/change-matches.ts";
import { changeStatus, changeStatusOfMatches, origin } from "../../services/images/change-status.ts";
import { changeVisibility, changeVisibilityOfMatches } from "../../services/images/change-visibility.ts";
import { guarded } from "../guarded.ts";
import { accountOf } from "../middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

export const bulkChanges = createRouter();

addStatusChange("trash", {
  operationId: "trashImages",
  path: "/images/bulk-trash",
  summary: "Move uploads to the trash",
});
addStatusChange("active", {
  operationId: "restoreImages",
  path: "/images/bulk-restore",
  summary: "Restore uploads from the trash",
});

/** Trash and restore mirror each other: the same body, the same count (DEL-1). */
function addStatusChange(to: UploadStatus, names: { operationId: string; path: string; summary: string }) {
  bulkChanges.openapi(
    guarded("images:write", {
      ...names,
      method: "post",
      tags: ["images"],
      description:
        "`ids` changes all or none, and skips ids that are unknown, another account's or already there. `filter` changes a thousand at a " +
        "time, until `nextCursor` is null; the default `status` selects uploads that can move.",
      "x-confinable": true,
      request: { body: jsonBody(SelectionBody) },
      responses: { 200: jsonResponse("Uploads that moved", UpdatedSchema), ...errorResponses(404) },
    }),
    async (c) => {
      const { ids, ...selection } = c.req.valid("json");
      const account = accountOf(c);
      if (ids !== undefined) {
        return c.json({ updated: await chargeChanges(account, await changeStatus(account, ids, to)) }, 200);
      }
      const changed = await changeStatusOfMatches(account, toMatchSelection(selection, origin(to)), to);
      await chargeChanges(account, changed.updated);
      return c.json(toUpdatedBody(changed), 200);
    },
  );
}

bulkChanges.openapi(
  guarded("images:write", {
    operationId: "updateImages",
    method: "post",
    path: "/images/bulk-update",
    tags: ["images"],
    summary: "Move, tag or mark many uploads, or make them public or private",
    description:
      "`ids` changes all or none, also trashed uploads, and skips ids that are unknown or another account's. `filter` changes a " +
      "thousand at a time, until `nextCursor` is null, or an upload would have too many tags (400; `details.updated` changed before). " +
      `\`visibility\` excludes other changes. A request changes at most ${MAX_VISIBILITY_CHANGES} files or 1 GB, because each file is copied; ` +
      "`remaining` or `nextCursor` shows that there are more.",
    "x-confinable": true,
    request: { body: jsonBody(BulkChangeBody) },
    responses: {
      200: jsonResponse("Uploads that changed", UpdatedSchema),
      ...errorResponses(404),
    },
  }),
  async (c) => {
    const { ids, filter, exceptIds, cursor, visibility, ...change } = c.req.valid("json");
    const account = accountOf(c);
    if (visibility !== undefined) {
      if (ids !== undefined) return c.json(await changeVisibility(account, ids, visibility), 200);
      const selection = toMatchSelection({ filter, exceptIds, cursor }, "active");
      return c.json(toUpdatedBody(await changeVisibilityOfMatches(account, selection, visibility)), 200);
    }
    if (ids !== undefined) {
      return c.json({ updated: await chargeChanges(account, await bulkUpdate(account, ids, change)) }, 200);
    }
    const changed = await updateMatches(account, toMatchSelection({ filter, exceptIds, cursor }, "active"), change);
    await chargeChanges(account, changed.updated);
    return c.json(toUpdatedBody(changed), 200);
  },
);

bulkChanges.openapi(
  guarded("session", {
    operationId: "deleteImages",
    method: "post",
    path: "/images/bulk-delete",
    tags: ["images"],
    summary: "Delete many uploads permanently",
    description:
      "Keys cannot call this; they delete one by one. Each deletion succeeds or fails separately and counts as one operation: after the month's " +
      "last operation, the others fail with 429. With `onlyFrom`, an upload that is not in the trash when it would be deleted is kept, and " +
      "fails with `image_not_in_trash`.",
    "x-operation-class": "A",
    request: { body: jsonBody(BulkDeleteBody) },
    responses: { 200: jsonResponse("The outcome of each", BulkDeletedSchema) },
  }),
  async (c) => {
    const { ids, onlyFrom } = c.req.valid("json");
    const { deleted, failed } = await bulkDelete(accountOf(c), ids, onlyFrom);
    return c.json(
      {
        deleted,
        failed: failed.map(({ uploadId, error }) => ({
          _id: uploadId,
          error: error.message,
          statusCode: error.statusCode,
          code: error.code,
        })),
      },
      200,
    );
  },
);

function toUpdatedBody({ updated, nextCursor }: ChangedMatches): z.infer<typeof UpdatedSchema> {
  return { updated, nextCursor, pagination: { nextCursor } };
}

type Selection = z.output<typeof SelectionBody>;

/** @param status the filter's status if the client gives none */
function toMatchSelection(
  { filter = {}, exceptIds, cursor }: Omit<Selection, "ids">,
  status: UploadStatus,
): MatchSelection {
  const { folderId, q, minSize, maxSize, tags = [], excludeTags = [], ...others } = filter;
  return {
    filter: {
      ...others,
      status: filter.status ?? status,
      folderId: folderId === null ? "root" : folderId,
      search: q,
      minSizeBytes: minSize,
      maxSizeBytes: maxSize,
      tags,
      excludedTags: excludeTags,
    },
    exceptIds,
    cursor,
  };
}
