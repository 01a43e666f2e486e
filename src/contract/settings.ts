import { z } from "@hono/zod-openapi";
import { MAX_HOTLINK_HOSTS, MAX_PRESET_LENGTH, PRESET_NAME, VARIANT_MODES } from "../domain/file-rules.ts";
import { METADATA_MODES } from "../domain/metadata-mode.ts";
import { integer, NextPageSchema } from "./query-parameters.ts";

const MIN_QUALITY = 50;
const MAX_QUALITY = 100;

const MAX_HOST_CHARACTERS = 253;
const HOST = /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

/** SET-3. */
const HotlinkSchema = z
  .strictObject({
    allowedHosts: z
      .array(z.string().max(MAX_HOST_CHARACTERS).regex(HOST, "Must be a host name, or `*.` and a host name"))
      .max(MAX_HOTLINK_HOSTS)
      .openapi({ example: ["example.com", "*.example.com"] }),
    allowEmptyReferer: z.boolean().openapi({ description: "Whether requests without a `Referer` are served" }),
  })
  .openapi({ description: "Pages that may show the files; every page may without this rule" });

/** META-1. */
const MetadataField = z
  .enum(METADATA_MODES)
  .openapi({ description: "Metadata that stored files keep: all, none that is private, or none" });

/** SET-1. */
export const SettingsSchema = z
  .object({
    autoCompress: z.boolean(),
    compressionQuality: z
      .number()
      .int()
      .min(MIN_QUALITY)
      .max(MAX_QUALITY)
      .openapi({ description: "High is 80, Balanced 65, Optimized 50" }),
    metadata: MetadataField,
  })
  .openapi("CompressionSettings");

/** SET-4. */
const VariantsField = z.enum(VARIANT_MODES).openapi({
  description: "Sizes and formats that are served by URL: any, presets and signed ones, signed ones, or none",
});

export const AllSettingsSchema = SettingsSchema.extend({
  hotlink: HotlinkSchema.optional(),
  variants: VariantsField,
}).openapi("Settings");

export const SettingsChangeBody = z
  .strictObject({
    ...SettingsSchema.shape,
    metadata: MetadataField.nullable(),
    hotlink: HotlinkSchema.nullable(),
    variants: VariantsField,
  })
  .partial()
  .openapi("SettingsChange");

/** VAR-8. */
export const PresetSchema = z
  .object({
    name: z.string().regex(PRESET_NAME),
    parameters: z
      .string()
      .max(MAX_PRESET_LENGTH)
      .openapi({ description: "As in a file's URL", example: "w=300&h=300&fit=crop" }),
  })
  .openapi("Preset");

export const PresetListSchema = z.object({ presets: z.array(PresetSchema), pagination: NextPageSchema });

export const PresetBody = z
  .strictObject({ parameters: z.string().max(4 * MAX_PRESET_LENGTH) })
  .openapi("PresetRequest", { example: { parameters: "w=300&h=300&fit=crop" } });

export const PresetParam = z.object({
  name: z.string().openapi({ param: { name: "name", in: "path" }, description: "The preset's name", example: "card" }),
});

/** The form's `quality`, which is text. Without it, the account's quality is used. */
export const QualityText = integer(MIN_QUALITY, MAX_QUALITY);

/** This schema is only a description: the form is read as a stream. */
export const CompressionPreviewForm = z
  .object({
    file: z.string().optional().openapi({ format: "binary", description: "An image of at most 32 MB" }),
    id: z.string().optional().openapi({ description: "An image of the account, instead of `file`" }),
    quality: z
      .number()
      .int()
      .min(MIN_QUALITY)
      .max(MAX_QUALITY)
      .optional()
      .openapi({ description: "Default: the account's" }),
  })
  .openapi("CompressionPreviewForm");
