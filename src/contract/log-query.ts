import { z } from "@hono/zod-openapi";
import { MAX_COUNTED_OPERATIONS } from "../domain/limits.ts";
import { OPERATION_CLASSES, OPERATION_TYPES } from "../domain/operations.ts";
import { Cursor, Day, Limit, Page, parameter } from "./query-parameters.ts";

/** The parameters of GET /logs. */
const Parameters = z.object({
  page: Page,
  limit: Limit,
  cursor: Cursor,
  keyId: parameter(z.string().max(64).optional()).openapi({
    type: "string",
    maxLength: 64,
    description: "What was done with this key. A view has none; an id that is no key of the account has nothing",
  }),
  class: parameter(z.enum(OPERATION_CLASSES).optional()),
  type: parameter(z.enum(OPERATION_TYPES).optional()),
  from: parameter(Day.optional()),
  to: parameter(Day.optional()),
});

export const LogQuery = Parameters.superRefine(({ from, to, cursor, page, limit }, { addIssue }) => {
  const refuse = (name: string, message: string) => addIssue({ code: "custom", path: [name], message });
  if (from !== undefined && to !== undefined && from > to) refuse("from", "Is after `to`");
  if (cursor !== undefined && page > 1) refuse("cursor", "Goes without `page`");
  if (page * limit > MAX_COUNTED_OPERATIONS) {
    refuse("page", `Reaches beyond ${MAX_COUNTED_OPERATIONS} operations: go on by \`cursor\`, or ask for fewer days`);
  }
});
