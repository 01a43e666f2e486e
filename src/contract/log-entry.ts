import { z } from "@hono/zod-openapi";
import { OPERATION_CLASSES, OPERATION_TYPES } from "../domain/operations.ts";
import { PaginationSchema } from "./media-object.ts";

/** An operation as the log has it (specification, Operations). */
export const LogEntrySchema = z
  .object({
    _id: z.string(),
    type: z.enum(OPERATION_TYPES),
    class: z.enum(OPERATION_CLASSES),
    weight: z.number().openapi({ description: "Of an operation: 1 in class A, 0.1 in class B" }),
    timestamp: z.string().datetime(),
    resourceId: z.string().openapi({ description: "The upload" }),
    keyId: z
      .string()
      .nullable()
      .openapi({ description: "The key that it was done with; null in a session, and for views" }),
  })
  .openapi("LogEntry");

export const LogPageSchema = z.object({ logs: z.array(LogEntrySchema), pagination: PaginationSchema });
