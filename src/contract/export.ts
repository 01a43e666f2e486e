import { z } from "@hono/zod-openapi";
import { AccountSchema } from "./account.ts";
import { AlertSchema } from "./alert.ts";
import { ExportedHistory } from "./file-history.ts";
import { FolderSchema } from "./folder.ts";
import { ImportItemSchema, ImportSchema } from "./import.ts";
import { KeySchema } from "./key.ts";
import { SavedSearchSchema } from "./saved-search.ts";
import { PresetSchema, SettingsSchema } from "./settings.ts";
import { ShareSchema } from "./share.ts";
import { SigningKeySchema } from "./signing-key.ts";
import { UploadResultSchema } from "./upload-result.ts";
import { UploadTokenSchema } from "./upload-token.ts";
import { NamedWebhookSchema } from "./webhook.ts";

/** One line of an export: a JSON object with a `type`. */
export const ExportLineSchema = z
  .discriminatedUnion("type", [
    AccountSchema.extend({ type: z.literal("account") }),
    SettingsSchema.extend({ type: z.literal("settings") }),
    PresetSchema.extend({ type: z.literal("preset") }),
    KeySchema.extend({ type: z.literal("key") }),
    SigningKeySchema.extend({ type: z.literal("signingKey") }),
    UploadTokenSchema.extend({ type: z.literal("uploadToken") }),
    ShareSchema.extend({ type: z.literal("share") }),
    NamedWebhookSchema.extend({ type: z.literal("webhook") }),
    ImportSchema.extend({ type: z.literal("import") }),
    ImportItemSchema.extend({ type: z.literal("importItem"), importId: z.string() }),
    AlertSchema.extend({ type: z.literal("alert") }),
    SavedSearchSchema.extend({ type: z.literal("savedSearch") }),
    FolderSchema.extend({ type: z.literal("folder") }),
    UploadResultSchema.omit({ thumbnailUrl: true }).extend({
      type: z.literal("upload"),
      thumbnailUrl: z.string().nullable(),
      status: z.enum(["active", "trash"]),
      favorite: z.boolean(),
      history: ExportedHistory,
    }),
    z.object({
      type: z.literal("operation"),
      operation: z.enum(["upload", "delete", "view"]),
      class: z.enum(["A", "B"]),
      weight: z.number(),
      timestamp: z.string().datetime(),
      resourceId: z.string(),
      keyId: z.string().nullable(),
    }),
    z.object({
      type: z.literal("end"),
      counts: z.object({
        presets: z.number().int(),
        keys: z.number().int(),
        signingKeys: z.number().int(),
        uploadTokens: z.number().int(),
        shares: z.number().int(),
        webhooks: z.number().int(),
        imports: z.number().int(),
        importItems: z.number().int(),
        alerts: z.number().int(),
        savedSearches: z.number().int(),
        folders: z.number().int(),
        uploads: z.number().int(),
        operations: z.number().int(),
      }),
    }),
  ])
  .openapi("ExportLine");
