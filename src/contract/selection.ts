import { z } from "@hono/zod-openapi";
import { MAX_CURSOR_CHARACTERS, MAX_IDS, MAX_MATCHES_CHANGED, MAX_SEARCH_CHARACTERS } from "../domain/limits.ts";
import { UPLOAD_STATUSES } from "../domain/upload-status.ts";
import { EXAMPLE_ID, IdsField, TagsField } from "./common.ts";
import { Camera, MimePrefix, OrientationSchema } from "./list-query.ts";
import { VisibilitySchema } from "./media-object.ts";
import { Day, NextPageSchema } from "./query-parameters.ts";
import { exactText, line } from "./text.ts";

const Bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const DayField = Day.openapi({ type: "string", format: "date", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" });

/** The parameters of `GET /images` as JSON. */
export const FilterField = z
  .strictObject({
    status: z.enum([...UPLOAD_STATUSES, "all"]),
    folderId: z
      .string()
      .nullable()
      .openapi({
        type: ["string", "null"],
        description:
          "A folder's id, `root` (or null) or `all`. Without it: Root for status `active` without `q`, else every folder",
      }),
    q: line({ max: MAX_SEARCH_CHARACTERS }),
    from: DayField,
    to: DayField,
    takenFrom: DayField,
    takenTo: DayField,
    mimePrefix: MimePrefix,
    minSize: Bytes,
    maxSize: Bytes,
    favorite: z.boolean(),
    visibility: VisibilitySchema,
    camera: Camera,
    orientation: OrientationSchema,
    expires: z.boolean(),
    expiresFrom: DayField,
    expiresTo: DayField,
    hasAlt: z.boolean(),
    takenDown: z.boolean(),
    tags: TagsField,
    excludeTags: TagsField,
  })
  .partial()
  .openapi("ImageFilter", {
    description: "The parameters of `GET /images` that match many files",
    example: { folderId: "all", mimePrefix: "video/" },
  });

/** The uploads that a change covers: ids, or all uploads that match a filter. */
const BY_FILTER = {
  filter: FilterField,
  exceptIds: z
    .array(exactText({ max: 64 }))
    .max(MAX_IDS)
    .optional()
    .openapi({ description: "Matches that stay unchanged" }),
  cursor: exactText({ max: MAX_CURSOR_CHARACTERS })
    .optional()
    .openapi({ description: "`nextCursor` of the answer to the same filter" }),
};

const SELECTION_FIELDS = { ids: IdsField.optional(), ...BY_FILTER, filter: FilterField.optional() };

/** Descriptions of the bodies that `selecting` accepts, each by the name of its schema. */
export const SELECTING_VARIANTS = new Map<string, z.ZodType>();

/** A change as the description shows it. */
interface DescribedChange {
  readonly name: string;
  readonly fields: z.ZodRawShape;
  readonly example: object;
}

/**
 * The body of a change to the selected uploads. It is described as two schemas, `ByIds` and `ByFilter`, and validated as one, whose messages
 * name the wrong field.
 * @param fields the change
 * @param changes the fields that may be together, if not all may
 */
export function selecting<Fields extends z.ZodRawShape>(
  name: string,
  fields: Fields,
  example: object,
  changes: readonly DescribedChange[] = [{ name, fields, example }],
) {
  const description = `At most ${MAX_MATCHES_CHANGED.toLocaleString("en")} uploads a call, newest first`;
  const variants = changes.flatMap((change): [string, z.ZodType, object][] => [
    [
      `${change.name}ByIds`,
      z.strictObject({ ids: IdsField, ...change.fields }),
      { ids: [EXAMPLE_ID], ...change.example },
    ],
    [
      `${change.name}ByFilter`,
      z.strictObject({ ...BY_FILTER, ...change.fields }),
      { filter: { tags: ["beach"] }, ...change.example },
    ],
  ]);
  for (const [variant, schema, shown] of variants) {
    SELECTING_VARIANTS.set(
      variant,
      schema.openapi({ example: shown, ...(variant.endsWith("Filter") ? { description } : {}) }),
    );
  }
  return z
    .strictObject({ ...SELECTION_FIELDS, ...fields })
    .superRefine(refuseAmbiguity)
    .openapi(name, {
      type: "object",
      oneOf: variants.map(([variant]) => ({ $ref: `#/components/schemas/${variant}` })),
    });
}

function refuseAmbiguity(
  given: { readonly [Field in keyof typeof SELECTION_FIELDS]?: unknown },
  { addIssue }: { addIssue(issue: { code: "custom"; path: string[]; message: string }): void },
): void {
  const refuse = (name: string, message: string) => addIssue({ code: "custom", path: [name], message });
  const { ids, filter, exceptIds, cursor } = given;
  if (ids === undefined && filter === undefined) refuse("ids", "`ids` or `filter` is required");
  if (ids !== undefined && filter !== undefined) refuse("filter", "Not allowed with `ids`");
  if (exceptIds !== undefined && filter === undefined) refuse("exceptIds", "Requires `filter`");
  if (cursor !== undefined && filter === undefined) refuse("cursor", "Requires `filter`");
}

export const SelectionBody = selecting("Selection", {}, {});

export const UpdatedSchema = z
  .object({
    updated: z.number().int(),
    remaining: z.number().int().optional().openapi({
      description: "Only for `visibility` with `ids`: repeat the request until it is 0",
    }),
    nextCursor: z.string().nullable().optional().openapi({ description: "The same as `pagination.nextCursor`" }),
    pagination: NextPageSchema.optional().openapi({
      description: "Only for a `filter`: repeat the request with `nextCursor` as `cursor` until it is null",
    }),
  })
  .openapi("Updated");
