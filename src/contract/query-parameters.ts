import { z } from "@hono/zod-openapi";
import { DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS } from "../domain/limits.ts";

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
  .refine((day) => toDay(day) === day, "There is no such day")
  .openapi({ type: "string", format: "date" });

function toDay(day: string): string | undefined {
  const at = Date.parse(day);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
}

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

export const Limit = parameter(integer(1, MAX_PAGE_ITEMS).default(DEFAULT_PAGE_ITEMS)).openapi({
  type: "integer",
  minimum: 1,
  maximum: MAX_PAGE_ITEMS,
  default: DEFAULT_PAGE_ITEMS,
  description: "The most items of an answer",
});

/** The first and the last day of a period. */
export const From = parameter(Day.optional()).openapi({ description: "The first day, in UTC" });
export const To = parameter(Day.optional()).openapi({ description: "The last day, in UTC" });

export const Cursor = parameter(z.string().optional()).openapi({
  type: "string",
  description: "`nextCursor` of an answer with the same filters",
});
