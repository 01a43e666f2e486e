import { z } from "@hono/zod-openapi";
import { MAX_IDS, MAX_MATCHES_CHANGED, MAX_SEARCH_CHARACTERS } from "../domain/limits.ts";
import { UPLOAD_STATUSES } from "../domain/upload-status.ts";
import { EXAMPLE_ID, IdsField, TagsField } from "./common.ts";
import { Day } from "./query-parameters.ts";
import { exactText, line } from "./text.ts";

const Bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const DayField = Day.openapi({ type: "string", format: "date", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" });

/** What `GET /images` takes as parameters, as JSON. */
const FilterField = z
  .strictObject({
    status: z.enum([...UPLOAD_STATUSES, "all"]),
    folderId: z
      .string()
      .nullable()
      .openapi({
        type: ["string", "null"],
        description:
          "A folder's id, `root` (or null) or `all`. Without it: Root for active ones without `q`, else every folder",
      }),
    q: line({ max: MAX_SEARCH_CHARACTERS }),
    from: DayField,
    to: DayField,
    mimePrefix: exactText({ max: 100 }),
    minSize: Bytes,
    maxSize: Bytes,
    favorite: z.boolean(),
    tags: TagsField,
    excludeTags: TagsField,
  })
  .partial();

/** Which uploads a change is for: those with these ids, or those that a filter lets through. */
export const SELECTION_FIELDS = {
  ids: IdsField.optional(),
  filter: FilterField.optional().openapi({
    description: `The parameters of \`GET /images\`: at most ${MAX_MATCHES_CHANGED.toLocaleString("en")} uploads a call, the newest first`,
  }),
  exceptIds: z
    .array(exactText({ max: 64 }))
    .max(MAX_IDS)
    .optional()
    .openapi({ description: "Of those that the filter lets through, these stay as they are" }),
  cursor: exactText({ max: 64 })
    .optional()
    .openapi({ description: "The `nextCursor` of the answer to the same filter" }),
};

/** What JSON Schema says of them, and `refuseAmbiguity` sees to. */
export const ONE_SELECTION = {
  oneOf: [{ required: ["ids"] }, { required: ["filter"] }],
  dependentRequired: { exceptIds: ["filter"], cursor: ["filter"] },
};

export function refuseAmbiguity(
  given: { readonly [Field in keyof typeof SELECTION_FIELDS]?: unknown },
  { addIssue }: { addIssue(issue: { code: "custom"; path: string[]; message: string }): void },
): void {
  const refuse = (name: string, message: string) => addIssue({ code: "custom", path: [name], message });
  const { ids, filter, exceptIds, cursor } = given;
  if (ids === undefined && filter === undefined) refuse("ids", "Is missing; or give a `filter`");
  if (ids !== undefined && filter !== undefined) refuse("filter", "Goes without `ids`");
  if (exceptIds !== undefined && filter === undefined) refuse("exceptIds", "Needs a `filter`");
  if (cursor !== undefined && filter === undefined) refuse("cursor", "Needs a `filter`");
}

export const SelectionBody = z
  .strictObject(SELECTION_FIELDS)
  .superRefine(refuseAmbiguity)
  .openapi("Selection", { ...ONE_SELECTION, example: { ids: [EXAMPLE_ID] } });

export const UpdatedSchema = z
  .object({
    updated: z.number().int(),
    nextCursor: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: "Of a change by filter: send the same again with it as `cursor`, until it is null" }),
  })
  .openapi("Updated");
