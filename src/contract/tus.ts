import { z } from "@hono/zod-openapi";
import { UploadHeaders } from "./upload-result.ts";

/** The request headers of tus 1.0.0. They are read by hand, and described here. */

const Version = z.literal("1.0.0").openapi({ description: "The version of the protocol" });

const Length = z.string().openapi({
  type: "integer",
  minimum: 0,
  description: "Bytes of the whole file",
  example: 5_242_880,
});

export const TusHeaders = z.object({ "Tus-Resumable": Version });

/** A creation is also an upload by form or raw body, which have none of these headers. */
export const CreationHeaders = UploadHeaders.extend({
  "Tus-Resumable": Version.optional().openapi({ description: "Makes the request the creation of a resumable upload" }),
  "Upload-Length": Length.optional(),
  "Upload-Defer-Length": z
    .literal("1")
    .optional()
    .openapi({ description: "Replaces `Upload-Length` if the length is unknown" }),
  "Upload-Metadata": z.string().optional().openapi({
    description:
      "Pairs of a key and a base64 value, separated by commas: `filename`, and the fields of a form. Others are kept and returned",
    example: "filename cGhvdG8uanBn,tags YmVhY2gsaG9saWRheQ==",
  }),
});

export const PieceHeaders = TusHeaders.extend({
  "Upload-Offset": z.string().openapi({
    type: "integer",
    minimum: 0,
    description: "The offset that `HEAD` answers, or the last piece's answer",
    example: 1_048_576,
  }),
  "Upload-Length": Length.optional().openapi({ description: "Once, if the creation deferred it" }),
});
