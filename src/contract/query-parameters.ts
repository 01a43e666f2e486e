import { z } from "@hono/zod-openapi";
import { isDay } from "../domain/calendar.ts";
import { DEFAULT_PAGE_ITEMS, MAX_CURSOR_CHARACTERS, MAX_PAGE_ITEMS } from "../domain/limits.ts";

/** Query parameters that several endpoints share. */

/** Larger than the last page of any library. */
const MAX_PAGE = 10_000_000;

/** Digits only: `Number` would accept "1e1", " 5" and "0x5". */
export function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^[0-9]{1,16}$/, "Must be a whole number")
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));
}

/** The format alone accepts 30 February. */
export const Day = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, "Must be a date, YYYY-MM-DD")
  .refine(isDay, "There is no such day")
  .openapi({ type: "string", format: "date" });

/** A parameter with an empty value counts as absent (SVC-8): forms send their empty fields. */
export function parameter<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === "" ? undefined : value), schema);
}

export const Page = parameter(integer(1, MAX_PAGE).default(1)).openapi({
  type: "integer",
  minimum: 1,
  default: 1,
  description: "The page; `cursor` costs less on late pages",
});

export const Limit = limit(MAX_PAGE_ITEMS, DEFAULT_PAGE_ITEMS);

function limit(most: number, usual: number) {
  return parameter(integer(1, most).default(usual)).openapi({
    type: "integer",
    minimum: 1,
    maximum: most,
    default: usual,
    description: "The most items of an answer",
  });
}

/** The first and the last day of a period. */
export const From = parameter(Day.optional()).openapi({ description: "The first day, in UTC" });
export const To = parameter(Day.optional()).openapi({ description: "The last day, in UTC" });

export const Cursor = parameter(z.string().optional()).openapi({
  type: "string",
  description: "`pagination.nextCursor` of an answer with the same filters",
});

/** The parameters of a list without `page`. @param usual the `limit` if the client gives none */
export function pageOf(most: number = MAX_PAGE_ITEMS, usual: number = most) {
  return { limit: limit(most, usual), cursor: Cursor };
}

/** The place in an operator's list. Earlier versions named the cursor `after`. */
export function operatorCursor() {
  const after = parameter(z.string().optional()).openapi({ type: "string", ...earlierName("cursor") });
  return { cursor: Cursor, after };
}

/** The parameters of an operator's list. */
export function operatorPageOf() {
  return { ...pageOf(), ...operatorCursor() };
}

export const OperatorPageQuery = z.object(operatorPageOf());

/** The end of an operator's answer. Earlier versions named `pagination.nextCursor` `next`. */
export function operatorPaging() {
  return {
    pagination: NextPageSchema,
    next: z.string().nullable().openapi(earlierName("pagination.nextCursor")),
  };
}

/** The fields with which an operator's step of a longer work continues the step before. */
export function continuation() {
  const cursor = z.string().max(MAX_CURSOR_CHARACTERS).optional();
  return {
    cursor: cursor.openapi({ description: "`pagination.nextCursor` of the previous answer" }),
    after: cursor.openapi(earlierName("cursor")),
  };
}

function earlierName(name: string) {
  return { deprecated: true, description: `An earlier name of \`${name}\`` };
}

/** The query of a list without filters. */
export const PageQuery = z.object(pageOf());

/** The end of every answer with a list that has no `page`. */
export const NextPageSchema = z
  .object({
    nextCursor: z.string().nullable().openapi({ description: "The next page's `cursor`; null on the last page" }),
  })
  .openapi("NextPage");
