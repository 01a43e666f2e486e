import type { z } from "@hono/zod-openapi";
import type { FolderSchema } from "../../contract/folder.ts";
import type { FolderWithCount } from "../../services/records.ts";

export function toFolderBody(folder: FolderWithCount): z.infer<typeof FolderSchema> {
  const { id, name, parentId, icon, itemCount, createdAt, updatedAt } = folder;
  return {
    _id: id,
    name,
    parentId,
    icon,
    itemCount,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}
