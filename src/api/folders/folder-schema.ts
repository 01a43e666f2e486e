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

/** Control characters, halves of characters, and the marks that make a name read otherwise than it is. */
const UNREADABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

/** In NFC, as two names that look the same are the same name among siblings. */
const NameField = z
  .string()
  .trim()
  .normalize()
  .min(1)
  .max(100)
  .refine((name) => !UNREADABLE.test(name), "Control characters are not allowed");
const ParentField = z.string().max(64).nullable();
const IconField = z.string().trim().max(64).nullable();

export const NewFolderBody = z
  .object({ name: NameField, parentId: ParentField.default(null), icon: IconField.default(null) })
  .openapi("NewFolder");

export const FolderChangeBody = z
  .strictObject({ name: NameField, parentId: ParentField, icon: IconField })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "Give name, parentId or icon")
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
