import { z } from "@hono/zod-openapi";
import { OPERATION_CLASSES, OPERATION_TYPES } from "../domain/allowance.ts";
import { PaginationSchema } from "./media-object.ts";

/** An entry of the operation log (LIM-8). */
export const LogEntrySchema = z
  .object({
    _id: z.string(),
    type: z.enum(OPERATION_TYPES),
    class: z.enum(OPERATION_CLASSES),
    weight: z.number().openapi({ description: "1 in class A, 0.1 in class B" }),
    timestamp: z.string().datetime(),
    resourceId: z.string().openapi({ description: "The upload" }),
    originalFilename: z.string().nullable().openapi({ description: "The upload's name; null once it is deleted" }),
    keyId: z.string().nullable().openapi({ description: "The key of the request; null for sessions and views" }),
  })
  .openapi("LogEntry");

export const LogPageSchema = z.object({ logs: z.array(LogEntrySchema), pagination: PaginationSchema });
