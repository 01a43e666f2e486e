import type { z } from "@hono/zod-openapi";
import { IdParam, MessageSchema } from "../contract/common.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import { NewShareBody, ShareChangeBody, SharePageSchema, ShareSchema } from "../contract/share.ts";
import type { SharedFiles } from "../domain/share.ts";
import type { AccountContext } from "../services/context.ts";
import type { CountedShare } from "../services/records.ts";
import { changeShare, createShare, deleteShare, getShare, listShares, shareUrl } from "../services/shares/shares.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

/** Shares, for their owner. `share-page/` has the pages for visitors. */
export const shares = createRouter();

shares.openapi(
  guarded("images:write", {
    operationId: "createShare",
    method: "post",
    path: "/shares",
    tags: ["shares"],
    summary: "Share files by a page that needs no account",
    description: "The page shows the folder, the files or the matches of the filter as they are when it is opened.",
    request: { body: jsonBody(NewShareBody) },
    responses: { 201: jsonResponse("The share", ShareSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { folderId, ids, filter, allowUpload: guests = null, ...terms } = c.req.valid("json");
    const files = toFiles({ folderId, ids, filter });
    return c.json(toShareBody(account, await createShare(account, files, { ...terms, guests })), 201);
  },
);

shares.openapi(
  guarded("images:read", {
    operationId: "listShares",
    method: "get",
    path: "/shares",
    tags: ["shares"],
    summary: "List shares, newest first",
    description: "Shares whose time is over are listed until they are deleted.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("A page", SharePageSchema) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { rows, nextCursor } = await listShares(account, c.req.valid("query"));
    return c.json({ shares: rows.map((share) => toShareBody(account, share)), pagination: { nextCursor } }, 200);
  },
);

shares.openapi(
  guarded("images:read", {
    operationId: "getShare",
    method: "get",
    path: "/shares/{id}",
    tags: ["shares"],
    summary: "One share",
    description: "Its password is never shown.",
    request: { params: IdParam },
    responses: { 200: jsonResponse("The share", ShareSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const account = accountOf(c);
    return c.json(toShareBody(account, await getShare(account, c.req.valid("param").id)), 200);
  },
);

shares.openapi(
  guarded("images:write", {
    operationId: "updateShare",
    method: "patch",
    path: "/shares/{id}",
    tags: ["shares"],
    summary: "Change the terms of a share",
    description: "The URL stays. Visitors who have entered the old password enter the new one.",
    request: { params: IdParam, body: jsonBody(ShareChangeBody) },
    responses: { 200: jsonResponse("The share", ShareSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { allowUpload: guests, ...terms } = c.req.valid("json");
    const changed = await changeShare(account, c.req.valid("param").id, { ...terms, guests });
    return c.json(toShareBody(account, changed), 200);
  },
);

shares.openapi(
  guarded("images:write", {
    operationId: "deleteShare",
    method: "delete",
    path: "/shares/{id}",
    tags: ["shares"],
    summary: "End a share; its page is gone at once",
    description: "Its files stay. A private file's URL that a visitor has is valid for an hour at most.",
    request: { params: IdParam },
    responses: { 200: jsonResponse("Ended", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await deleteShare(accountOf(c), c.req.valid("param").id);
    return c.json({ message: "Share deleted" }, 200);
  },
);

type Sharing = Pick<z.infer<typeof NewShareBody>, "folderId" | "ids" | "filter">;

/** The body has exactly one of them. */
function toFiles({ folderId = null, ids, filter }: Sharing): SharedFiles {
  if (ids !== undefined) return { kind: "ids", ids };
  return filter === undefined ? { kind: "folder", folderId } : { kind: "filter", filter };
}

export function toShareBody(
  account: Pick<AccountContext, "accountId" | "config">,
  share: CountedShare,
): z.infer<typeof ShareSchema> {
  const { id, files, title, passwordHash, createdAt, expiresAt, allowDownload, indexed, views } = share;
  return {
    _id: id,
    url: shareUrl(account, id),
    ...toFilesBody(files),
    title,
    hasPassword: passwordHash !== null,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    allowDownload,
    indexed,
    views,
    allowUpload: toGuestsBody(share),
  };
}

function toGuestsBody({ guests, guestFiles, guestBytes }: CountedShare): z.infer<typeof ShareSchema>["allowUpload"] {
  if (guests === null) return false;
  const { maxFiles, maxBytes, types } = guests;
  return { maxFiles, maxBytes, types: [...types], usedFiles: guestFiles, usedBytes: guestBytes };
}

function toFilesBody(files: SharedFiles): Pick<z.infer<typeof ShareSchema>, "folderId" | "ids" | "filter"> {
  switch (files.kind) {
    case "folder":
      return { folderId: files.folderId };
    case "ids":
      return { ids: [...files.ids] };
    case "filter": {
      const { tags, excludeTags, ...others } = files.filter;
      return {
        filter: {
          ...others,
          ...(tags === undefined ? {} : { tags: [...tags] }),
          ...(excludeTags === undefined ? {} : { excludeTags: [...excludeTags] }),
        },
      };
    }
  }
}
