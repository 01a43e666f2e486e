import { z } from "@hono/zod-openapi";
import { NextPageSchema } from "./query-parameters.ts";

const ToolFileSchema = z
  .object({
    name: z.string(),
    title: z.string().openapi({ description: "Programs that use the file" }),
    help: z.string().openapi({ description: "How to install the file" }),
    filename: z.string(),
    url: z.string(),
  })
  .openapi("ToolFile");

export const ToolFilesSchema = z.object({
  keyPlaceholder: z.string().openapi({ description: "Replace this with your key in each file" }),
  tools: z.array(ToolFileSchema),
  pagination: NextPageSchema,
});
