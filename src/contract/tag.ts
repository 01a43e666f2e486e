import { z } from "@hono/zod-openapi";
import { DEFAULT_TAGS, MAX_LISTED_TAGS } from "../domain/limits.ts";
import { Search } from "./list-query.ts";
import { NextPageSchema, pageOf, parameter } from "./query-parameters.ts";

export const TagQuery = z.object({
  q: parameter(Search.optional()).openapi({
    type: "string",
    description: "Part of a tag in any case, with or without accents",
  }),
  sort: parameter(z.enum(["count", "name"]).default("count")).openapi({
    type: "string",
    enum: ["count", "name"],
    default: "count",
    description:
      "`count`: most used first; a tag whose count changes between two pages may be missed or repeated. `name`: each tag once",
  }),
  ...pageOf(MAX_LISTED_TAGS, DEFAULT_TAGS),
});

export const TagsSchema = z
  .object({
    tags: z
      .array(
        z.object({ tag: z.string(), count: z.number().int().openapi({ description: "Active uploads with the tag" }) }),
      )
      .openapi({ description: "Most used first, unless `sort` is `name`" }),
    pagination: NextPageSchema,
  })
  .openapi("Tags");
