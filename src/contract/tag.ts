import { z } from "@hono/zod-openapi";
import { DEFAULT_TAGS, MAX_LISTED_TAGS } from "../domain/limits.ts";
import { Search } from "./list-query.ts";
import { integer, parameter } from "./query-parameters.ts";

export const TagQuery = z.object({
  q: parameter(Search.optional()).openapi({
    type: "string",
    description: "Part of a tag in any case, with or without accents",
  }),
  limit: parameter(integer(1, MAX_LISTED_TAGS).default(DEFAULT_TAGS)).openapi({
    type: "integer",
    minimum: 1,
    maximum: MAX_LISTED_TAGS,
    default: DEFAULT_TAGS,
    description: "The most tags of an answer",
  }),
});

export const TagsSchema = z
  .object({
    tags: z
      .array(
        z.object({ tag: z.string(), count: z.number().int().openapi({ description: "Active uploads with the tag" }) }),
      )
      .openapi({ description: "Most used first" }),
  })
  .openapi("Tags");
