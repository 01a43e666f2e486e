import { z } from "@hono/zod-openapi";
import type { Account } from "../../db/schema.ts";

/** Specification, Account settings. */
export const SettingsSchema = z
  .object({
    autoCompress: z.boolean(),
    compressionQuality: z
      .number()
      .int()
      .min(50)
      .max(100)
      .openapi({ description: "High is 80, Balanced 65, Optimized 50" }),
  })
  .openapi("Settings");

export function toSettings({ autoCompress, compressionQuality }: Account): z.infer<typeof SettingsSchema> {
  return { autoCompress, compressionQuality };
}
