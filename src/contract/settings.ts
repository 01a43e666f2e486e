import { z } from "@hono/zod-openapi";

export const MIN_QUALITY = 50;
export const MAX_QUALITY = 100;

/** Specification, Account settings. */
export const SettingsSchema = z
  .object({
    autoCompress: z.boolean(),
    compressionQuality: z
      .number()
      .int()
      .min(MIN_QUALITY)
      .max(MAX_QUALITY)
      .openapi({ description: "High is 80, Balanced 65, Optimized 50" }),
  })
  .openapi("Settings");

export const SettingsChangeBody = z.strictObject(SettingsSchema.shape).partial().openapi("SettingsChange");
