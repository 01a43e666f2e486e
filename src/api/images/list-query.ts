import { z } from "@hono/zod-openapi";
import { MAX_TAGS, normalizeTag, splitTags } from "../../domain/tags.ts";
import { UPLOAD_STATUSES } from "../../domain/upload-status.ts";

/** Pages behind this one exist in no library that the largest tier can hold. */
const MAX_PAGE = 10_000_000;
const MAX_LIMIT = 100;
const MAX_SEARCH_CHARACTERS = 200;

/** Digits only: `Number` would take "1e1", " 5" and "0x5" as well. */
function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^[0-9]{1,16}$/, "Must be a whole number")
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));
}

/** The format alone lets 30 February pass. */
const Day = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, "Must be a date, YYYY-MM-DD")
  .refine((day) => toDay(day) === day, "There is no such day")
  .openapi({ type: "string", format: "date" });

function toDay(day: string): string | undefined {
  const at = Date.parse(day);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
}

const Tags = z
  .string()
  .transform(splitTags)
  .pipe(z.array(z.string()).max(MAX_TAGS, `At most ${MAX_TAGS} tags`))
  .openapi({ type: "string", description: "Comma-separated" });

const Search = z
  .string()
  .transform((text) => text.normalize("NFC").trim())
  .refine((text) => Array.from(text).length <= MAX_SEARCH_CHARACTERS, `At most ${MAX_SEARCH_CHARACTERS} characters`)
  .openapi({ type: "string", description: "Part of a file name, in any case, or a whole tag" });

/** The parameters of GET /images (specification, GET /images). */
const Parameters = z.object({
  page: integer(1, MAX_PAGE).default(1).openapi({ type: "integer", minimum: 1, default: 1 }),
  limit: integer(1, MAX_LIMIT).default(50).openapi({ type: "integer", minimum: 1, maximum: MAX_LIMIT, default: 50 }),
  cursor: z.string().optional().openapi({
    description: "The `nextCursor` of an answer to the same filters: what follows it, however deep, at the same cost",
  }),
  status: z.enum([...UPLOAD_STATUSES, "all"]).default("active"),
  folderId: z.string().optional().openapi({
    description: "A folder's id, `root` or `all`. Without it: Root for status `active` without `q`, else every folder",
  }),
  q: Search.optional(),
  from: Day.optional(),
  to: Day.optional(),
  mimePrefix: z.string().min(1).max(100).optional().openapi({
    description: "What the MIME type begins with (`image/`, `video/`, `image/pn`), or `other`: neither image nor video",
  }),
  minSize: integer(0, Number.MAX_SAFE_INTEGER).optional().openapi({ type: "integer", minimum: 0 }),
  maxSize: integer(0, Number.MAX_SAFE_INTEGER).optional().openapi({ type: "integer", minimum: 0 }),
  favorite: z.enum(["true", "false"]).optional(),
  tags: Tags.optional(),
  excludeTags: Tags.optional(),
  tag: z.string().transform(normalizeTag).optional().openapi({ type: "string" }),
});

export const ListQuery = Parameters.superRefine((query, { addIssue }) => {
  const refuse = (name: keyof typeof query, message: string) => addIssue({ code: "custom", path: [name], message });
  const { from, to, minSize, maxSize, cursor, page } = query;
  if (from !== undefined && to !== undefined && from > to) refuse("from", "Is after `to`");
  if (minSize !== undefined && maxSize !== undefined && minSize > maxSize) refuse("minSize", "Is over `maxSize`");
  if (cursor !== undefined && page > 1) refuse("cursor", "Goes without `page`");
});
