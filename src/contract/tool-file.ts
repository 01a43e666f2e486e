import { z } from "@hono/zod-openapi";

export const ToolFileSchema = z
  .object({
    name: z.string(),
    title: z.string().openapi({ description: "The programs that take it" }),
    help: z.string().openapi({ description: "How it gets into them" }),
    filename: z.string(),
    url: z.string(),
  })
  .openapi("ToolFile");

export const ToolFilesSchema = z.object({
  keyPlaceholder: z.string().openapi({ description: "What stands for the key in each file" }),
  tools: z.array(ToolFileSchema),
});
