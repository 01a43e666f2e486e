import { z } from "@hono/zod-openapi";
import type { FolderWithCount } from "../../db/schema.ts";

export const FolderSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    parentId: z.string().nullable().openapi({ description: "Null is Root" }),
    icon: z.string().nullable(),
    itemCount: z.number().int().openapi({ description: "Active uploads directly in it" }),
    createdAt: z.string().datetime(),
    updatedAt: z.string().datetime(),
  })
  .openapi("Folder");

const NameField = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !/\p{Cc}/u.test(name), "Control characters are not allowed");
const ParentField = z.string().max(64).nullable();
const IconField = z.string().trim().max(64).nullable();

export const NewFolderBody = z
  .object({ name: NameField, parentId: ParentField.default(null), icon: IconField.default(null) })
  .openapi("NewFolder");

export const FolderChangeBody = z
  .object({ name: NameField, parentId: ParentField, icon: IconField })
  .partial()
  .openapi("FolderChange");

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
