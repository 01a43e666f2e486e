import { z } from "@hono/zod-openapi";
import { ACTOR_TYPES, HISTORY_TYPES, MAX_KEPT_CHANGES } from "../domain/file-history.ts";

const Actor = z.object({
  type: z.enum(ACTOR_TYPES).openapi({ description: "`share`: a guest of a share" }),
  _id: z.string().nullable().openapi({ description: "Null for a session" }),
});

const FolderId = z.string().nullable().optional().openapi({ description: "The folder of a move; null is Root" });

/** One change as an export has it: without names. */
const ExportedChangeSchema = z.object({
  type: z.enum(HISTORY_TYPES),
  at: z.string().datetime(),
  by: Actor.nullable().openapi({ description: "Null if it is unknown" }),
  folderId: FolderId,
});

export const ExportedHistory = z.array(ExportedChangeSchema).openapi({ description: "Newest first" });

/** HIST-1. */
const HistoryEntrySchema = z
  .object({
    type: z.enum(HISTORY_TYPES),
    at: z.string().datetime(),
    by: Actor.extend({
      name: z
        .string()
        .nullable()
        .openapi({ description: "The name of a key, or the title of a share; null if there is none", example: "CI" }),
      revoked: z.literal(true).optional().openapi({ description: "The key was revoked" }),
    })
      .nullable()
      .openapi({ description: "Null if it is unknown" }),
    folderId: FolderId,
    folderName: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: "The folder's present name; null for Root, and if the folder was deleted" }),
  })
  .openapi("HistoryEntry");

export const FileHistorySchema = z
  .object({
    history: z
      .array(HistoryEntrySchema)
      .openapi({ description: `Newest first: the last ${MAX_KEPT_CHANGES} changes, then the upload` }),
  })
  .openapi("FileHistory");
