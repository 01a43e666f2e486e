import { z } from "@hono/zod-openapi";
import {
  DEFAULT_DUPLICATE_GROUPS,
  MAX_COUNTED_DUPLICATES,
  MAX_DUPLICATE_GROUPS,
  MAX_LISTED_DUPLICATES,
} from "../domain/limits.ts";
import { MediaObjectSchema } from "./media-object.ts";
import { NextPageSchema, pageOf } from "./query-parameters.ts";
import { Sha256 } from "./sha256.ts";

export const DuplicatesQuery = z.object(pageOf(MAX_DUPLICATE_GROUPS, DEFAULT_DUPLICATE_GROUPS));

/** DUP-1. */
export const DuplicateGroupSchema = z
  .object({
    sha256: Sha256.openapi({
      description: "SHA-256 of the stored bytes",
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }),
    count: z
      .number()
      .int()
      .openapi({ description: `The files with these bytes, counted among the oldest ${MAX_COUNTED_DUPLICATES}` }),
    freedBytes: z.number().int().openapi({ description: "The bytes of all files of the group but one" }),
    images: z
      .array(MediaObjectSchema)
      .openapi({ description: `The oldest ${MAX_LISTED_DUPLICATES} of the files, the oldest first` }),
  })
  .openapi("DuplicateGroup");

export const DuplicatesSchema = z
  .object({
    groups: z.array(DuplicateGroupSchema).openapi({
      description:
        "Groups in the order of their hashes. A page may have fewer than `limit`, or none, and still have a `nextCursor`",
    }),
    pagination: NextPageSchema,
  })
  .openapi("Duplicates");
